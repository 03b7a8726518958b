. ./cauri.sh

charge=$(cauri POST /v1/biz/charges '{"amount": 1500, "reference": "CMD-118", "redirect_url": "https://boutique.example/merci"}') || exit
token=$(printf '%s' "$charge" | sed 's/.*"token":"\([^"]*\)".*/\1/')
# Store the token with your order. In the test environment this takes the place of the customer.
cauri POST "/v1/biz/test/charges/$token/pay" '{"payer_tag": "@awa_demo"}' "pay-$token" &&
  cauri GET "/v1/biz/charges/$token"
