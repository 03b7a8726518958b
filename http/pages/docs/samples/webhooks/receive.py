import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["CAURI_WEBHOOK_SECRET"].encode()
if not SECRET:
    # With an empty key any caller can sign.
    raise SystemExit("CAURI_WEBHOOK_SECRET is empty")


def is_signed(body: bytes, header: str) -> bool:
    """Whether Cauri signed these bytes within the last five minutes."""
    elements = [element.partition("=") for element in header.split(",")]
    times = [value for name, _, value in elements if name == "t" and value.isdigit()]
    if len(times) != 1 or abs(time.time() - int(times[0])) > 300:
        return False
    expected = hmac.new(SECRET, times[0].encode() + b"." + body, hashlib.sha256).hexdigest().encode()
    return any(hmac.compare_digest(value.encode(), expected) for name, _, value in elements if name == "v1")


class Webhooks(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        is_known = is_signed(body, self.headers.get("X-Service-Signature", ""))
        if is_known:
            # Store the event with its id before you answer: an event may come twice.
            print(self.headers["X-Service-Event-Id"], json.loads(body)["type"], flush=True)
        self.send_response(204 if is_known else 401)
        self.end_headers()


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Webhooks)
print(f"port {server.server_port}", flush=True)
server.serve_forever()
