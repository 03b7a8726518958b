# Prints the first event. Without sed the stream goes on; Last-Event-ID resumes behind an event.
curl -sSN "$CAURI_URL/v1/me/events" \
  -H "Authorization: Bearer $ACCESS_TOKEN" \
  -H 'Last-Event-ID: 0' | sed '/^data:/q'
