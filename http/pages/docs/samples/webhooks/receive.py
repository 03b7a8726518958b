import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("CAURI_WEBHOOK_SECRET", "").encode()
if not SECRET:
    # With an empty key any caller can sign.
    raise SystemExit("CAURI_WEBHOOK_SECRET is empty")
BODY_MAX = 2 * 1024 * 1024


def is_signed(body: bytes, header: str) -> bool:
    """Whether Cauri signed these bytes within the last five minutes."""
    found = re.fullmatch(r"t=([0-9]{1,12})((?:,v1=[0-9a-f]{64})+)", header)
    if found is None or abs(time.time() - int(found[1])) > 300:
        return False
    expected = hmac.new(SECRET, found[1].encode() + b"." + body, hashlib.sha256).hexdigest()
    return any(hmac.compare_digest(value, expected) for value in found[2].split(",v1=")[1:])


class Webhooks(BaseHTTPRequestHandler):
    # Seconds that a sender may be silent.
    timeout = 15

    def do_POST(self):
        self.send_response(self.status())
        self.end_headers()

    def status(self) -> int:
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,9}", length):
            return 411
        if int(length) > BODY_MAX:
            return 413
        body = self.rfile.read(int(length))
        if not is_signed(body, self.headers.get("X-Service-Signature", "")):
            return 401
        try:
            kind = json.loads(body)["type"]
        except (ValueError, TypeError, KeyError):
            return 400
        # Store the event with its id before you answer: an event may come twice.
        print(self.headers["X-Service-Event-Id"], kind, flush=True)
        return 204


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Webhooks)
print(f"port {server.server_port}", flush=True)
server.serve_forever()
