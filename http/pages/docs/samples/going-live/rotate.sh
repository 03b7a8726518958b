endpoint=$(curl -sS "$CAURI_URL/v1/biz/webhook-endpoints?limit=1" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET")
id=$(printf '%s' "$endpoint" | sed 's/.*"id":"\([^"]*\)".*/\1/')
# Store the new secret. For a day each delivery is signed with both.
curl -sS -X POST "$CAURI_URL/v1/biz/webhook-endpoints/$id/rotate-secret" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H "Idempotency-Key: $(openssl rand -hex 16)" \
  -H 'Content-Type: application/json' \
  -d '{"overlap_seconds": 86400}'
