paid=$(curl -sS "$CAURI_URL/v1/biz/charges?state=paid&limit=1" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET")
token=$(printf '%s' "$paid" | sed 's/.*"token":"\([^"]*\)".*/\1/')
curl -sS -X POST "$CAURI_URL/v1/biz/charges/$token/refund" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H "Idempotency-Key: refund-$token"
