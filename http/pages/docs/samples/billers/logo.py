import os
import urllib.request
import uuid
from pathlib import Path

boundary = uuid.uuid4().hex
head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="logo.png"\r\n\r\n'
request = urllib.request.Request(
    os.environ["CAURI_URL"] + "/v1/biz/biller/logo",
    method="POST",
    headers={
        "X-Api-Key": os.environ["CAURI_API_KEY"],
        "X-Api-Secret": os.environ["CAURI_API_SECRET"],
        "Content-Type": f"multipart/form-data; boundary={boundary}",
    },
    data=head.encode() + Path("logo.png").read_bytes() + f"\r\n--{boundary}--\r\n".encode(),
)
with urllib.request.urlopen(request) as response:
    print(response.read().decode())
