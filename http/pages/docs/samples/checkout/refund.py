from cauri import call

paid = call("GET", "/v1/biz/charges?state=paid&limit=1")["data"][0]
charge = call("POST", f"/v1/biz/charges/{paid['token']}/refund", key=f"refund-{paid['token']}")
print(charge["state"])
