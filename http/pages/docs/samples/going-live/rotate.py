from cauri import call

endpoint = call("GET", "/v1/biz/webhook-endpoints")["data"][0]
rotated = call("POST", f"/v1/biz/webhook-endpoints/{endpoint['id']}/rotate-secret", {"overlap_seconds": 86400})
# Store the new secret. For a day each delivery is signed with both.
print(endpoint["url"], rotated["secret"][:6])
