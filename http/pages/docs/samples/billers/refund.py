from cauri import call

payment = call("GET", "/v1/biz/bill-payments?limit=1")["data"][0]
print(payment["product"], payment["amount"], payment["fulfillment"]["state"])
id = payment["transaction_id"]
print(call("POST", f"/v1/biz/bill-payments/{id}/refund", key=f"refund-{id}")["state"])
