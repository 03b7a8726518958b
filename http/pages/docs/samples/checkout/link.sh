. ./cauri.sh

cauri POST /v1/biz/payment-links '{"description": "Boutique du marché, caisse 1"}'
