# The file is there only once it is whole.
answer=$(curl -sS -o statement.part -w '%{http_code} %{content_type}' "$CAURI_URL/v1/biz/transactions" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H 'Accept: text/csv') && [[ $answer == '200 text/csv'* ]] &&
  mv statement.part statement.csv && echo 'written: statement.csv'
