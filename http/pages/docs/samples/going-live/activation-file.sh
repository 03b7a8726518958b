key=$(openssl rand -hex 16)
curl -sS --fail-with-body -X POST "$CAURI_URL/v1/dashboard/activation/files" \
  -H "Cookie: $SESSION_COOKIE" -H "X-CSRF-Token: $CSRF_TOKEN" \
  -H "Idempotency-Key: $key" \
  -F 'file=@register.pdf' ||
  echo "Idempotency-Key: $key" >&2
