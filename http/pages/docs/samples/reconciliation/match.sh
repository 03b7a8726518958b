# One order: an empty list means that nothing was paid.
for reference in CMD-118 CMD-119; do
  curl -sS "$CAURI_URL/v1/biz/transactions?type=charge&reference=$reference" \
    -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET"
done
