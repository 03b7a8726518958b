import os

from cauri import call

# The id that you stored with the subscription.
id = os.environ["USAGE_MANDATE_ID"]
body = {"amount": 3200, "reference": "CONSO-7-2026-11"}
payment = call("POST", f"/v1/biz/mandates/{id}/charges", body, key="conso-7-2026-11")
print(payment["state"], payment["transaction_id"])
