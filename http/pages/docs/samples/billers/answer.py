import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("LOOKUP_SECRET", "").encode()
if not SECRET:
    # With an empty key any caller can sign.
    raise SystemExit("LOOKUP_SECRET is empty")
BODY_MAX = 2 * 1024 * 1024
BILLS = {"01234567890": {"number": "FAC-2026-11-0042", "customer": "Awa Diallo", "amount": 12500}}


def is_signed(body: bytes, header: str) -> bool:
    """Whether Cauri signed these bytes within the last five minutes."""
    found = re.fullmatch(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})", header)
    if found is None:
        return False
    expected = hmac.new(SECRET, found[1].encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(found[2], expected) and abs(time.time() - int(found[1])) <= 300


def due(body: bytes) -> dict:
    fields = json.loads(body)["fields"]
    bill = BILLS.get(fields.get("numero"))
    if bill is None:
        return {"ok": False, "reason": "Compteur inconnu."}
    return {"ok": True, "amount": bill["amount"], "customer_name": bill["customer"], "biller_ref": bill["number"]}


class Lookups(BaseHTTPRequestHandler):
    # Seconds that a sender may be silent.
    timeout = 15

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,9}", length) or int(length) > BODY_MAX:
            return self.answer(413 if length else 411, b"")
        body = self.rfile.read(int(length))
        if not is_signed(body, self.headers.get("X-Service-Signature", "")):
            return self.answer(401, b"")
        try:
            self.answer(200, json.dumps(due(body)).encode())
        except (ValueError, TypeError, KeyError, AttributeError):
            self.answer(400, b"")

    def answer(self, status: int, body: bytes):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3443"))), Lookups)
print(f"port {server.server_port}", flush=True)
server.serve_forever()
