import secrets

from cauri import call

# Each test makes its own wallet and reference, so that it depends on no other one.
id = secrets.token_hex(4)
tag = call("POST", "/v1/biz/test/wallets", {"tag": f"client_{id}"})["tag"]
call("POST", "/v1/biz/test/deposits", {"recipient": tag, "amount": 5000})

charge = call("POST", "/v1/biz/charges", {"amount": 1500, "reference": f"TEST-{id}"})
call("POST", f"/v1/biz/test/charges/{charge['token']}/pay", {"payer_tag": tag})
assert call("GET", f"/v1/biz/charges/{charge['token']}")["state"] == "paid"

failed = call("POST", "/v1/biz/payouts", {"recipient": f"nobody_{id}", "amount": 100})
assert failed["failure_code"] == "recipient_not_found"
print("passed")
