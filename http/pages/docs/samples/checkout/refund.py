import os

from cauri import call

# The token that you stored with the order.
token = os.environ["CHARGE_TOKEN"]
charge = call("POST", f"/v1/biz/charges/{token}/refund", key=f"refund-{token}")
print(charge["state"])
