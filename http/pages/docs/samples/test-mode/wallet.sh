tag="@client_$(openssl rand -hex 4)"
curl -sS -X POST "$CAURI_URL/v1/biz/test/deposits" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H 'Content-Type: application/json' \
  -d '{"amount": 1000000}'
curl -sS -X POST "$CAURI_URL/v1/biz/test/wallets" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H 'Content-Type: application/json' \
  -d "{\"tag\": \"$tag\"}"
