from pathlib import Path

from cauri import call

field = {"id": "numero", "label": "Numéro de compteur", "type": "text", "required": True, "pattern": "^[0-9]{11}$"}
product = call("POST", "/v1/biz/biller/products", {
    "slug": "facture",
    "title": "Facture d’électricité",
    "amount_mode": "lookup",
    "schema": {"steps": [{"title": "Votre compteur", "action": "resolve", "fields": [field]}]},
    "lookup_integration": "code",
    "lookup_code": Path("lookup.js").read_text(encoding="utf-8"),
    "fulfillment_mode": "code",
    "fulfillment_code": Path("on-paid.js").read_text(encoding="utf-8"),
})
print(product["slug"], product["state"])
