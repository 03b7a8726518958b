. ./cauri.sh

cat > payroll.json <<'END'
{
  "reference": "PAIE-2026-12",
  "items": [
    {"recipient": "@awa_demo", "amount": 150000, "reference": "PAIE-2026-12-AWA"},
    {"recipient": "@kofi_demo", "amount": 120000, "reference": "PAIE-2026-12-KOFI"}
  ]
}
END
made=$(cauri POST /v1/biz/disbursements @payroll.json payroll-2026-12-curl) || exit
id=$(printf '%s' "$made" | sed 's/^{"id":"\([^"]*\)".*/\1/')
cauri POST "/v1/biz/disbursements/$id/start" '' payroll-2026-12-curl/start || exit
# It also rests where a person must act: paused without balance, or awaiting_approval.
while record=$(cauri GET "/v1/biz/disbursements/$id") && [[ $record == *'"state":"running"'* ]]; do sleep 1; done
printf '%s\n' "$record"
