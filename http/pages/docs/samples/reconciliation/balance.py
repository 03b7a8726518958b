from cauri import call

balance = call("GET", "/v1/biz/balance")
print(f"{balance['available']} available, {balance['pending']} pending, {balance['currency']}")
