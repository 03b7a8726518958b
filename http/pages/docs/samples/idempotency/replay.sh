for attempt in 1 2; do
  curl -sS -X POST "$CAURI_URL/v1/biz/payouts" \
    -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
    -H 'Idempotency-Key: payroll-2026-11-awa-curl' \
    -H 'Content-Type: application/json' \
    -d '{"recipient": "@awa_demo", "amount": 25000, "reference": "PAIE-2026-11"}'
done
