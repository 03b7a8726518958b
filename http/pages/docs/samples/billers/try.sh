. ./cauri.sh

product=/v1/biz/biller/products/facture
cauri POST "$product/test-lookup" '{"fields": {"numero": "01234567890"}}'
cauri POST "$product/test-fulfillment" '{"biller_ref": "FAC-2026-11-0042", "amount": 12500}'
# The last runs, trials and those of customers. What your code printed is in `logs`.
cauri GET "$product/runs?limit=10"
