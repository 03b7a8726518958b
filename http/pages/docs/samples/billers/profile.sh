curl -sS -X PUT "$CAURI_URL/v1/biz/biller" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H 'Content-Type: application/json' \
  -d '{
    "display_name": "Énergie du Sahel",
    "category": "electricity",
    "short_desc": "L’électricité de Dakar à Tambacounda."
  }'
