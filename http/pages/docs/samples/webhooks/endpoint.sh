. ./cauri.sh

cauri POST /v1/biz/webhook-endpoints '{"url": "https://boutique.example/hooks/cauri", "events": ["charge.succeeded", "charge.refunded"]}'
