from cauri import call

redirect_url = "https://boutique.example/merci"
charge = call("POST", "/v1/biz/charges", {"amount": 1500, "reference": "CMD-118", "redirect_url": redirect_url})
# Send the customer to charge["checkout_url"]. In the test environment this takes the place of the customer.
call("POST", f"/v1/biz/test/charges/{charge['token']}/pay", {"payer_tag": "@awa_demo"})
print(call("GET", f"/v1/biz/charges/{charge['token']}")["state"])
