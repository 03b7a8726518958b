from cauri import call

account = call("GET", "/v1/biz/ping")
print(account["environment"], account["scopes"])
