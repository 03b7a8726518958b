from cauri import call

items = [
    {"recipient": "@awa_demo", "amount": 150000, "reference": "PAIE-2026-11-AWA"},
    {"recipient": "@kofi_demo", "amount": 120000, "reference": "PAIE-2026-11-KOFI"},
]
# A file has at most 500 lines. A key of its own for each file: started again, nothing is paid twice.
for start in range(0, len(items), 500):
    file = {"items": items[start : start + 500], "reference": "PAIE-2026-11"}
    report = call("POST", "/v1/biz/payouts/batch", file, key=f"payroll-2026-11-python-{start}")
    print(report["paid_count"], "paid")
    for line in report["items"]:
        if line["state"] == "failed":
            print(line["recipient"], line["failure_code"])
