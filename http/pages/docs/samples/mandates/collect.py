import os

from cauri import call

# The id that you stored with the subscription.
id = os.environ["MANDATE_ID"]
payment = call("POST", f"/v1/biz/test/mandates/{id}/collect")
print(payment["state"], payment["amount"])
