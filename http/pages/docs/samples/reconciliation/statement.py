from datetime import datetime, timezone

from cauri import call

day = datetime.now(timezone.utc).strftime("%Y-%m-%dT00:00:00Z")
lines, cursor = [], ""
while cursor is not None:
    page = call("GET", f"/v1/biz/transactions?created_from={day}&limit=100{cursor and '&cursor=' + cursor}")
    lines += page["data"]
    cursor = page["next_cursor"]
totals, balance = {}, None
for line in reversed(lines):
    if balance is not None and balance + line["amount"] != line["balance_after"]:
        raise ValueError(f"a line is missing before {line['id']}")
    balance = line["balance_after"]
    totals[line["type"]] = totals.get(line["type"], 0) + line["amount"]
print(f"{len(lines)} lines, closing balance {balance}", totals)
