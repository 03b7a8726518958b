from cauri import call

check = call("POST", "/v1/biz/payouts/check-recipient", {"recipient": "@awa_demo"})
print(check["exists"], check.get("display_name"))
