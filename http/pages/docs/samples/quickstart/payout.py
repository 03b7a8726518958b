from cauri import call

payout = call("POST", "/v1/biz/payouts", {"recipient": "@awa_demo", "amount": 5000, "reference": "PREMIER"})
print(payout["id"], payout["state"], payout.get("failure_code", ""))
