curl -sS --fail -o statement.csv "$CAURI_URL/v1/biz/transactions" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H 'Accept: text/csv' && echo 'written: statement.csv'
