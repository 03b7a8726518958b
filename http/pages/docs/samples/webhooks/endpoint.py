from cauri import call

url = "https://boutique.example/hooks/cauri"
endpoint = call("POST", "/v1/biz/webhook-endpoints", {"url": url, "events": ["charge.succeeded", "charge.refunded"]})
# The secret is in this answer alone: store it as CAURI_WEBHOOK_SECRET.
print(endpoint["id"], endpoint["secret"][:6])
