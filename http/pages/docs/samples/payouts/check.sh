curl -sS -X POST "$CAURI_URL/v1/biz/payouts/check-recipient" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H 'Content-Type: application/json' \
  -d '{"recipient": "@awa_demo"}'
