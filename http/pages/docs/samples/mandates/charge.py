from cauri import call

mandate = call("GET", "/v1/biz/mandates?state=active&reference=CONSO-7")["data"][0]
body = {"amount": 3200, "reference": "CONSO-7-2026-11"}
payment = call("POST", f"/v1/biz/mandates/{mandate['id']}/charges", body, key="conso-7-2026-11")
print(payment["state"], payment["transaction_id"])
