curl -sS -X POST "$CAURI_URL/v1/biz/mandates" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H "Idempotency-Key: $(openssl rand -hex 16)" \
  -H 'Content-Type: application/json' \
  -d '{
    "customer_tag": "@awa_demo",
    "amount": 5000,
    "interval": "monthly",
    "max_payments": 12,
    "reference": "ABO-118",
    "description": "Abonnement mensuel"
  }'
