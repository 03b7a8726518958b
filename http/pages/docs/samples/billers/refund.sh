payment=$(curl -sS "$CAURI_URL/v1/biz/bill-payments?limit=1" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET")
id=$(printf '%s' "$payment" | sed 's/.*"transaction_id":"\([^"]*\)".*/\1/')
curl -sS -X POST "$CAURI_URL/v1/biz/bill-payments/$id/refund" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H "Idempotency-Key: refund-$id"
