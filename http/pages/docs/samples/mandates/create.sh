. ./cauri.sh

cauri POST /v1/biz/mandates '{
  "customer_tag": "@awa_demo",
  "amount": 5000,
  "interval": "monthly",
  "max_payments": 12,
  "reference": "ABO-118",
  "description": "Abonnement mensuel"
}'
