import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["LOOKUP_SECRET"].encode()
if not SECRET:
    # With an empty key any caller can sign.
    raise SystemExit("LOOKUP_SECRET is empty")
BILLS = {"01234567890": {"number": "FAC-2026-11-0042", "customer": "Awa Diallo", "amount": 12500}}


def is_signed(body: bytes, header: str) -> bool:
    """Whether Cauri signed these bytes within the last five minutes."""
    found = re.fullmatch(r"t=(\d{1,12}),v1=([0-9a-f]{64})", header)
    if found is None:
        return False
    expected = hmac.new(SECRET, found[1].encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(found[2], expected) and abs(time.time() - int(found[1])) <= 300


class Lookups(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        is_known = is_signed(body, self.headers.get("X-Service-Signature", ""))
        self.send_response(200 if is_known else 401)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        if not is_known:
            return
        bill = BILLS.get(json.loads(body)["fields"].get("numero"))
        answer = {"ok": False, "reason": "Compteur inconnu."}
        if bill is not None:
            answer = {"ok": True, "amount": bill["amount"], "customer_name": bill["customer"], "biller_ref": bill["number"]}
        self.wfile.write(json.dumps(answer).encode())


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3443"))), Lookups)
print(f"port {server.server_port}", flush=True)
server.serve_forever()
