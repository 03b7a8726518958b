. ./cauri.sh

cauri POST /v1/biz/payouts '{"recipient": "@awa_demo", "amount": 5000, "reference": "PREMIER"}'
