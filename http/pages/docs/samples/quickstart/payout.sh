curl -sS -X POST "$CAURI_URL/v1/biz/payouts" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H "Idempotency-Key: $(openssl rand -hex 16)" \
  -H 'Content-Type: application/json' \
  -d '{"recipient": "@awa_demo", "amount": 5000, "reference": "PREMIER"}'
