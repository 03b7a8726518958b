from cauri import call

mandate = call("GET", "/v1/biz/mandates?state=active&reference=ABO-118")["data"][0]
payment = call("POST", f"/v1/biz/test/mandates/{mandate['id']}/collect")
print(payment["state"], payment["amount"])
