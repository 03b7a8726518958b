tag="client_$(openssl rand -hex 4)"
curl -sS -X POST "$CAURI_URL/v1/biz/test/deposits" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H "Idempotency-Key: $(openssl rand -hex 16)" \
  -H 'Content-Type: application/json' \
  -d '{"amount": 1000000, "reference": "DEPOT-1"}'
curl -sS -X POST "$CAURI_URL/v1/biz/test/wallets" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H "Idempotency-Key: wallet-$tag" \
  -H 'Content-Type: application/json' \
  -d "{\"tag\": \"@$tag\"}"
# The wallet is empty: with this deposit it can pay a charge.
curl -sS -X POST "$CAURI_URL/v1/biz/test/deposits" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H "Idempotency-Key: deposit-$tag" \
  -H 'Content-Type: application/json' \
  -d "{\"recipient\": \"@$tag\", \"amount\": 50000, \"reference\": \"DEPOT-2\"}"
