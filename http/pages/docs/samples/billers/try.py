from cauri import call

product = "/v1/biz/biller/products/facture"
print(call("POST", f"{product}/test-lookup", {"fields": {"numero": "01234567890"}}))
print(call("POST", f"{product}/test-fulfillment", {"biller_ref": "FAC-2026-11-0042", "amount": 12500}))
# The last runs, trials and those of customers. What your code printed is in `logs`.
for run in call("GET", f"{product}/runs?limit=10")["data"]:
    print(run["kind"], run["ok"], run["duration_ms"], run["logs"])
