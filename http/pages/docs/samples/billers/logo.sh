curl -sS --fail-with-body -X POST "$CAURI_URL/v1/biz/biller/logo" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -F 'file=@logo.png'
