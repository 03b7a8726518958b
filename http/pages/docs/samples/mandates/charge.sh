. ./cauri.sh

# The id that you stored with the subscription.
cauri POST "/v1/biz/mandates/$USAGE_MANDATE_ID/charges" '{"amount": 3200, "reference": "CONSO-7-2026-11"}' conso-7-2026-11
