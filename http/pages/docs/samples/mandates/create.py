from cauri import call

mandate = call("POST", "/v1/biz/mandates", {
    "customer_tag": "@awa_demo",
    "amount": 5000,
    "interval": "monthly",
    "max_payments": 12,
    "reference": "ABO-118",
    "description": "Abonnement mensuel",
})
print(mandate["state"], mandate["approval_url"])
