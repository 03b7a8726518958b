# Tomorrow; on macOS: date -u -v+1d +%Y-%m-%dT08:00:00Z
start_at=$(date -u -d tomorrow +%Y-%m-%dT08:00:00Z)
curl -sS -X POST "$CAURI_URL/v1/biz/payout-schedules" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H "Idempotency-Key: $(openssl rand -hex 16)" \
  -H 'Content-Type: application/json' \
  -d '{
    "recurrence": "monthly",
    "start_at": "'"$start_at"'",
    "reference": "PAIE",
    "items": [{"recipient": "@awa_demo", "amount": 150000}]
  }'
