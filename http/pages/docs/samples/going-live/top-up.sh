curl -sS -X POST "$CAURI_URL/v1/biz/top-ups" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H 'Idempotency-Key: appro-2026-11' \
  -H 'Content-Type: application/json' \
  -d '{"amount": 500000, "reference": "APPRO-11"}'
