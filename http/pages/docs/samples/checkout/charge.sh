charge=$(curl -sS -X POST "$CAURI_URL/v1/biz/charges" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H "Idempotency-Key: $(openssl rand -hex 16)" \
  -H 'Content-Type: application/json' \
  -d '{"amount": 1500, "reference": "CMD-118", "redirect_url": "https://boutique.example/merci"}')
token=$(printf '%s' "$charge" | sed 's/.*"token":"\([^"]*\)".*/\1/')
# In the test environment this takes the place of the customer.
curl -sS -X POST "$CAURI_URL/v1/biz/test/charges/$token/pay" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H "Idempotency-Key: pay-$token" \
  -H 'Content-Type: application/json' \
  -d '{"payer_tag": "@awa_demo"}'
curl -sS "$CAURI_URL/v1/biz/charges/$token" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET"
