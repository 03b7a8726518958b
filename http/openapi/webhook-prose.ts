// What merchants read of webhooks: delivery, retries, and how to check a signature. A test works the example out again.

export const WEBHOOKS_ABOUT = `We POST \`{"type", "data"}\` as JSON to your endpoints; what each type carries stands under \`webhooks\` in this document.

**Delivery.** Any 2xx within 15 s is success; the body of your answer is not read. Redirects are not followed. Everything else, 410 aside, is tried
again 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h after the attempt before it, each wait 20 % shorter or longer at random; a \`Retry-After\`
that asks for more is honoured, up to a day. \`bill.paid\` and \`ping\` are sent once. 410 disables the endpoint. An endpoint can have 50 000
deliveries open; what comes beyond is recorded and can be sent by hand. Events may come twice and in any order: \`X-Service-Event-Id\` tells them apart,
\`X-Service-Delivery-Id\` stands for event and endpoint over all attempts, \`X-Service-Attempt\` counts from 1. Be quick and do the work later: a place
that answers slowly gets fewer calls at once.

**Signature.** \`X-Service-Signature: t=<unix seconds>,v1=<hex>\`, with two \`v1=\` while a secret rotates. To check it:

1. Take \`t\` and every \`v1\` from the header; ignore what has another name.
2. Work out HMAC-SHA256 with the whole secret as text (\`whsec_\` included, UTF-8) as the key, over \`t\`, a dot, and the raw bytes of the body as
   they came, before any parsing. Write it in lower-case hex.
3. One of the \`v1\` must be equal to it; compare in constant time.
4. Refuse when \`t\` is more than 300 s away from your clock.

A worked example:

\`\`\`text
secret     whsec_6vYVlZcJH0p2s8mK4n7q1tWxRbDgEfLaUoTiN3yQ9zA
body       {"type":"ping","data":{"endpoint_id":"019aa0f0-2a00-7b11-8c2d-3e4f50617283"}}
signature  t=1763632800,v1=961d68af16e9fafd2c21f55acce254553448104c305f89cfe9131d4720036878
\`\`\`

In a shell: \`printf '%s' "$t.$body" | openssl dgst -sha256 -hmac "$secret"\`. In Node.js, \`http/webhooks/verify-signature.ts\` of Cauri's own source is
made to be copied.`
