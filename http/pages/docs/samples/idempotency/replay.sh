. ./cauri.sh

for attempt in 1 2; do
  cauri POST /v1/biz/payouts '{"recipient": "@awa_demo", "amount": 25000, "reference": "PAIE-2026-11"}' payroll-2026-11-awa-curl
done
