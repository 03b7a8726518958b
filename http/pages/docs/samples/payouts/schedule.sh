. ./cauri.sh

# Tomorrow; on macOS: date -u -v+1d +%Y-%m-%dT08:00:00Z
start_at=$(date -u -d tomorrow +%Y-%m-%dT08:00:00Z)
cauri POST /v1/biz/payout-schedules '{
  "recurrence": "monthly",
  "start_at": "'"$start_at"'",
  "reference": "PAIE",
  "items": [{"recipient": "@awa_demo", "amount": 150000}]
}'
