"""Calls the Cauri API. Python 3.9 or later, no other package."""
import json
import os
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("CAURI_URL", "http://127.0.0.1:8080")
ATTEMPTS = 5


class CauriError(Exception):
    def __init__(self, status, body):
        super().__init__(f"{status} {body['code']}: {body['message']}")
        self.status, self.code, self.body = status, body["code"], body


def call(method, path, body=None, key=None):
    """Returns the answer. All attempts of a POST have one Idempotency-Key."""
    headers = {
        "X-Api-Key": os.environ["CAURI_API_KEY"],
        "X-Api-Secret": os.environ["CAURI_API_SECRET"],
        "Content-Type": "application/json",
    }
    if method == "POST":
        headers["Idempotency-Key"] = key or str(uuid.uuid4())
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(1, ATTEMPTS + 1):
        request = urllib.request.Request(URL + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.loads(response.read() or b"null")
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503) or attempt == ATTEMPTS:
                raise CauriError(error.code, json.loads(error.read())) from None
            wait = int(error.headers.get("Retry-After") or 2**attempt)
        except OSError:
            if attempt == ATTEMPTS:
                raise
            wait = 2**attempt
        time.sleep(wait)
