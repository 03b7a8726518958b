curl -sS "$CAURI_URL/v1/biz/ping" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET"
