mandate=$(curl -sS "$CAURI_URL/v1/biz/mandates?state=active&reference=CONSO-7&limit=1" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET")
id=$(printf '%s' "$mandate" | sed 's/.*"id":"\([^"]*\)".*/\1/')
curl -sS -X POST "$CAURI_URL/v1/biz/mandates/$id/charges" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H 'Idempotency-Key: conso-7-2026-11' \
  -H 'Content-Type: application/json' \
  -d '{"amount": 3200, "reference": "CONSO-7-2026-11"}'
