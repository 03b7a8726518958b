. ./cauri.sh

cauri POST /v1/biz/payouts/check-recipient '{"recipient": "@awa_demo"}'
