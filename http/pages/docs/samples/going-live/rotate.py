import os

from cauri import call

# The id of the answer that made the endpoint; GET /v1/biz/webhook-endpoints lists it.
id = os.environ["ENDPOINT_ID"]
rotated = call("POST", f"/v1/biz/webhook-endpoints/{id}/rotate-secret", {"overlap_seconds": 86400})
# Store the new secret. For a day each delivery is signed with both.
print(rotated["url"], rotated["secret"][:6])
