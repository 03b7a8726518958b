import secrets

from cauri import call

call("POST", "/v1/biz/test/deposits", {"amount": 1000000, "reference": "DEPOT-1"})
wallet = call("POST", "/v1/biz/test/wallets", {"tag": f"client_{secrets.token_hex(4)}"})
# The wallet is empty: with this deposit it can pay a charge.
call("POST", "/v1/biz/test/deposits", {"recipient": wallet["tag"], "amount": 50000, "reference": "DEPOT-2"})
print(wallet["tag"], wallet["phone"], wallet["pin"])
