import os
import sys
import urllib.request
import uuid
from pathlib import Path

key = str(uuid.uuid4())
boundary = "cauri-file-8d1f0a7c5b2e4936"
head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="logo.png"\r\n\r\n'
request = urllib.request.Request(
    os.environ["CAURI_URL"] + "/v1/dashboard/account/logo",
    method="POST",
    headers={
        "Cookie": os.environ["SESSION_COOKIE"],
        "X-CSRF-Token": os.environ["CSRF_TOKEN"],
        "Idempotency-Key": key,
        "Content-Type": f"multipart/form-data; boundary={boundary}",
    },
    data=head.encode() + Path("logo.png").read_bytes() + f"\r\n--{boundary}--\r\n".encode(),
)
try:
    with urllib.request.urlopen(request) as response:
        print(response.status, response.read().decode())
except Exception:
    print("Idempotency-Key:", key, file=sys.stderr)
    raise
