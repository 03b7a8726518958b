. ./cauri.sh

# The id of the answer that made the endpoint, as GET /v1/biz/webhook-endpoints lists it.
# Store the new secret. For a day each delivery is signed with both.
cauri POST "/v1/biz/webhook-endpoints/$ENDPOINT_ID/rotate-secret" '{"overlap_seconds": 86400}'
