# Prints a file as the inside of a JSON text.
json() { sed 's/[\\"]/\\&/g; s/$/\\n/' "$1" | tr -d '\n'; }
curl -sS -X POST "$CAURI_URL/v1/biz/biller/products" \
  -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET" \
  -H "Idempotency-Key: $(openssl rand -hex 16)" \
  -H 'Content-Type: application/json' \
  -d '{
    "slug": "facture",
    "title": "Facture d’électricité",
    "amount_mode": "lookup",
    "schema": {"steps": [{"title": "Votre compteur", "action": "resolve", "fields": [
      {"id": "numero", "label": "Numéro de compteur", "type": "text", "required": true, "pattern": "^[0-9]{11}$"}
    ]}]},
    "lookup_integration": "code",
    "lookup_code": "'"$(json lookup.js)"'",
    "fulfillment_mode": "code",
    "fulfillment_code": "'"$(json on-paid.js)"'"
  }'
