curl -sS "$CAURI_URL/healthz"
curl -sS -H "Authorization: Bearer $METRICS_TOKEN" "$CAURI_URL/metrics" | grep '^cauri_healthy'
