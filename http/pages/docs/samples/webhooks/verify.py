import hashlib
import hmac
import json
import os
import re
import time


def verify(body: bytes, header: str, secret: str, tolerance_s: int = 300) -> dict:
    """Returns the event of a webhook. Raises ValueError for a forged or old one."""
    if not secret:
        # With an empty key any caller can sign.
        raise ValueError("no secret")
    elements = [element.partition("=") for element in header.split(",")]
    times = [value for name, _, value in elements if name == "t" and re.fullmatch("[0-9]{1,12}", value)]
    if len(times) != 1:
        raise ValueError("malformed signature")
    expected = hmac.new(secret.encode(), times[0].encode() + b"." + body, hashlib.sha256).hexdigest()
    candidates = [value for name, _, value in elements if name == "v1"]
    if not any(hmac.compare_digest(value.encode(), expected.encode()) for value in candidates):
        raise ValueError("forged signature")
    if abs(time.time() - int(times[0])) > tolerance_s:
        raise ValueError("old signature")
    return json.loads(body)


event = verify(os.environ["BODY"].encode(), os.environ["SIGNATURE"], os.environ["CAURI_WEBHOOK_SECRET"])
print(event["type"])
