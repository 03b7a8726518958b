. ./cauri.sh

cauri POST /v1/biz/top-ups '{"amount": 500000, "reference": "APPRO-11"}' appro-2026-11
