. ./cauri.sh

tag="client_$(openssl rand -hex 4)"
cauri POST /v1/biz/test/deposits '{"amount": 1000000, "reference": "DEPOT-1"}'
cauri POST /v1/biz/test/wallets "{\"tag\": \"@$tag\"}" "wallet-$tag"
# The wallet is empty: with this deposit it can pay a charge.
cauri POST /v1/biz/test/deposits "{\"recipient\": \"@$tag\", \"amount\": 50000, \"reference\": \"DEPOT-2\"}" "deposit-$tag"
