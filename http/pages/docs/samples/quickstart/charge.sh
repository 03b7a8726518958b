curl -sS -X POST "$CAURI_URL/v1/biz/charges" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H "Idempotency-Key: $(openssl rand -hex 16)" \
  -H 'Content-Type: application/json' \
  -d '{"amount": 2000, "reference": "CMD-1", "description": "Savon de karité"}'
