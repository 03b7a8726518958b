. ./cauri.sh

# Each test makes its own wallet and reference, so that it depends on no other one.
id=$(openssl rand -hex 4)
cauri POST /v1/biz/test/wallets "{\"tag\": \"client_$id\"}" > /dev/null || exit
cauri POST /v1/biz/test/deposits "{\"recipient\": \"client_$id\", \"amount\": 5000}" > /dev/null || exit

charge=$(cauri POST /v1/biz/charges "{\"amount\": 1500, \"reference\": \"TEST-$id\"}") || exit
token=$(printf '%s' "$charge" | sed 's/.*"token":"\([^"]*\)".*/\1/')
cauri POST "/v1/biz/test/charges/$token/pay" "{\"payer_tag\": \"client_$id\"}" > /dev/null || exit
cauri GET "/v1/biz/charges/$token" | grep -q '"state":"paid"' || exit

cauri POST /v1/biz/payouts "{\"recipient\": \"nobody_$id\", \"amount\": 100}" |
  grep -q '"failure_code":"recipient_not_found"' && echo passed
