cat > payroll.json <<'END'
{
  "reference": "PAIE-2026-11",
  "items": [
    {"recipient": "@awa_demo", "amount": 150000, "reference": "PAIE-2026-11-AWA"},
    {"recipient": "@kofi_demo", "amount": 120000, "reference": "PAIE-2026-11-KOFI"}
  ]
}
END
# A dry run pays nothing and reports what would be paid.
for query in '?dry_run=true' ''; do
  curl -sS -X POST "$CAURI_URL/v1/biz/payouts/batch$query" \
    -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
    -H 'Idempotency-Key: payroll-2026-11-curl' \
    -H 'Content-Type: application/json' \
    -d @payroll.json
done
