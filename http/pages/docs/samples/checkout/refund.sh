. ./cauri.sh

# The token that you stored with the order.
cauri POST "/v1/biz/charges/$CHARGE_TOKEN/refund" '' "refund-$CHARGE_TOKEN"
