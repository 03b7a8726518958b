product="$CAURI_URL/v1/biz/biller/products/facture"
curl -sS -X POST "$product/test-lookup" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H 'Content-Type: application/json' \
  -d '{"fields": {"numero": "01234567890"}}'
curl -sS -X POST "$product/test-fulfillment" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H 'Content-Type: application/json' \
  -d '{"biller_ref": "FAC-2026-11-0042", "amount": 12500}'
curl -sS "$product/runs?limit=2" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET"
