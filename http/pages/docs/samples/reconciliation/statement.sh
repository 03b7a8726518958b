. ./cauri.sh

cauri GET "/v1/biz/transactions?created_from=$(date -u +%Y-%m-%dT00:00:00Z)&limit=100"
