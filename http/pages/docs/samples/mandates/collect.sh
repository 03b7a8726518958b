mandate=$(curl -sS "$CAURI_URL/v1/biz/mandates?state=active&reference=ABO-118&limit=1" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET")
id=$(printf '%s' "$mandate" | sed 's/.*"id":"\([^"]*\)".*/\1/')
curl -sS -X POST "$CAURI_URL/v1/biz/test/mandates/$id/collect" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H "Idempotency-Key: $(openssl rand -hex 16)"
