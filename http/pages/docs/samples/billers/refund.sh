. ./cauri.sh

# The transaction_id of the event bill.paid.
cauri POST "/v1/biz/bill-payments/$TRANSACTION_ID/refund" '' "refund-$TRANSACTION_ID"
