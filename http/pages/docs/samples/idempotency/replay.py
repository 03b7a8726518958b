from cauri import call

line = {"recipient": "@awa_demo", "amount": 25000, "reference": "PAIE-2026-11"}
first = call("POST", "/v1/biz/payouts", line, key="payroll-2026-11-awa-python")
again = call("POST", "/v1/biz/payouts", line, key="payroll-2026-11-awa-python")
print(first["id"] == again["id"])
