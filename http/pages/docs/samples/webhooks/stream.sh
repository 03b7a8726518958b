# Prints the first event. Without sed the stream goes on; Last-Event-ID resumes behind an event.
curl -sSN "$CAURI_URL/v1/biz/events/stream" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H 'Last-Event-ID: 0' | sed '/^data:/q'
