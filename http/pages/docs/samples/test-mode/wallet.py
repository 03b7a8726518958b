import secrets

from cauri import call

call("POST", "/v1/biz/test/deposits", {"amount": 1000000})
wallet = call("POST", "/v1/biz/test/wallets", {"tag": f"client_{secrets.token_hex(4)}"})
print(wallet["tag"], wallet["phone"], wallet["pin"])
