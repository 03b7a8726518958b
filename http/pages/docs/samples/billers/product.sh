. ./cauri.sh

# Prints a file as the inside of a JSON text.
json() { sed 's/[\\"]/\\&/g; s/$/\\n/' "$1" | tr -d '\n'; }
cauri POST /v1/biz/biller/products '{
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
