from datetime import datetime, timedelta, timezone

from cauri import call

tomorrow = datetime.now(timezone.utc) + timedelta(days=1)
schedule = call("POST", "/v1/biz/payout-schedules", {
    "recurrence": "monthly",
    "start_at": tomorrow.strftime("%Y-%m-%dT%H:%M:%SZ"),
    "reference": "PAIE",
    "items": [{"recipient": "@awa_demo", "amount": 150000}],
})
print(schedule["id"], schedule["state"])
