from cauri import call

print(call("POST", "/v1/biz/payment-links", {"description": "Boutique du marché, caisse 1"})["url"])
