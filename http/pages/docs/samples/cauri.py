"""Calls the Cauri API. Python 3.9 or later, no other package."""
import http.client
import json
import os
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("CAURI_URL", "http://127.0.0.1:8080")
ATTEMPTS = 5
TIMEOUT_S = 30
RETRY_AFTER_MAX_S = 60
RETRIED = (429, 500, 502, 503, 504)


class CauriError(Exception):
    """`key` is the Idempotency-Key. Without a `status` no whole answer came: what was asked may be done. Repeat it with its key."""

    def __init__(self, text, key=None, status=None, body=None):
        super().__init__(text + (f" (Idempotency-Key: {key})" if key else ""))
        self.key, self.status, self.body = key, status, body or {}
        self.code = self.body.get("code", f"http_{status}" if status else "no_answer")


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        # Another host would get the secret.
        return None


OPENER = urllib.request.build_opener(NoRedirects)


def json_object(data):
    value = json.loads(data)
    if not isinstance(value, dict):
        raise ValueError("no JSON object")
    return value


def call(method, path, body=None, key=None, headers=None, read=json_object):
    """Returns what `read` makes of a whole, successful answer. All attempts of a POST have one Idempotency-Key."""
    sent = {
        "X-Api-Key": os.environ["CAURI_API_KEY"],
        "X-Api-Secret": os.environ["CAURI_API_SECRET"],
        "Content-Type": "application/json",
        **(headers or {}),
    }
    if method == "POST":
        key = sent["Idempotency-Key"] = key or str(uuid.uuid4())
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    for attempt in range(1, ATTEMPTS + 1):
        wait = 2**attempt / 4
        try:
            with OPENER.open(urllib.request.Request(URL + path, data, sent, method=method), timeout=TIMEOUT_S) as response:
                return read(response.read())
        except urllib.error.HTTPError as answer:
            error = rejection(answer, key)
            asked = answer.headers.get("Retry-After", "")
            wait = int(asked) if asked.isascii() and asked.isdigit() else wait
            may_retry = error.status in RETRIED and wait <= RETRY_AFTER_MAX_S
        except (OSError, http.client.HTTPException, ValueError) as cause:
            # Lost, broken off, too late, or a page of another server.
            error = CauriError(f"no answer of the API from {URL}: {type(cause).__name__}", key)
            may_retry = True
        if not may_retry or attempt == ATTEMPTS:
            raise error
        time.sleep(wait)


def rejection(answer, key):
    """Returns the error of an answer that is no success; a proxy may have sent it."""
    try:
        body = json_object(answer.read())
    except (OSError, http.client.HTTPException, ValueError):
        body = {}
    text = f"{answer.code} {body.get('code', 'without a code')}: {body.get('message', '')}"
    if answer.code < 400:
        text = f"{answer.url} redirects to {answer.headers.get('Location')}: correct CAURI_URL"
    return CauriError(text, key, answer.code, body)
