. ./cauri.sh

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
cauri POST '/v1/biz/payouts/batch?dry_run=true' @payroll.json &&
  cauri POST /v1/biz/payouts/batch @payroll.json payroll-2026-11-curl
