from cauri import call

top_up = call("POST", "/v1/biz/top-ups", {"amount": 500000, "reference": "APPRO-11"}, key="appro-2026-11")
print(top_up["state"], top_up["payment_reference"])
print(top_up["instructions"])
