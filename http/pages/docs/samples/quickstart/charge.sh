. ./cauri.sh

cauri POST /v1/biz/charges '{"amount": 2000, "reference": "CMD-1", "description": "Savon de karité"}'
