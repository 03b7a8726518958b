key=$(openssl rand -hex 16)
curl -sS --fail-with-body -X POST "$CAURI_URL/v1/dashboard/account/logo" \
  -H "Cookie: $SESSION_COOKIE" -H "X-CSRF-Token: $CSRF_TOKEN" \
  -H "Idempotency-Key: $key" \
  -F 'file=@logo.png' ||
  echo "Idempotency-Key: $key" >&2
