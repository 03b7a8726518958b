from cauri import call

charge = call("POST", "/v1/biz/charges", {"amount": 2000, "reference": "CMD-1", "description": "Savon de karité"})
print(charge["state"], charge["checkout_url"])
