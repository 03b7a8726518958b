curl -sS "$CAURI_URL/v1/biz/transactions?created_from=$(date -u +%Y-%m-%dT00:00:00Z)&limit=100" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET"
