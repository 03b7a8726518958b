import time

from cauri import call

items = [
    {"recipient": "@awa_demo", "amount": 150000, "reference": "PAIE-2026-12-AWA"},
    {"recipient": "@kofi_demo", "amount": 120000, "reference": "PAIE-2026-12-KOFI"},
]
key = "payroll-2026-12-python"
made = call("POST", "/v1/biz/disbursements", {"items": items, "reference": "PAIE-2026-12"}, key=key)
print(made["valid_count"], "can be paid,", made["invalid_count"], "cannot")
path = f"/v1/biz/disbursements/{made['id']}"
record = call("POST", f"{path}/start", key=f"{key}/start")
# It also rests where a person must act: paused without balance, or awaiting_approval.
while record["state"] == "running":
    time.sleep(1)
    record = call("GET", path)
print(record["state"], record["pause_reason"] or "", record["paid_count"], "paid")
