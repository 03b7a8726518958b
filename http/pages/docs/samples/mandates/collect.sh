. ./cauri.sh

# The id that you stored with the subscription.
cauri POST "/v1/biz/test/mandates/$MANDATE_ID/collect"
