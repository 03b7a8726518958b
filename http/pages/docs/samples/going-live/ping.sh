. ./cauri.sh

cauri GET /v1/biz/ping
