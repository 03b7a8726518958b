curl -sS -X POST "$CAURI_URL/v1/biz/payment-links" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H "Idempotency-Key: $(openssl rand -hex 16)" \
  -H 'Content-Type: application/json' \
  -d '{"description": "Boutique du marché, caisse 1"}'
