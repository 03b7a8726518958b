import os

from cauri import call

# The transaction_id of the event bill.paid.
id = os.environ["TRANSACTION_ID"]
print(call("POST", f"/v1/biz/bill-payments/{id}/refund", key=f"refund-{id}")["state"])
