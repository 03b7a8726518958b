from pathlib import Path

from cauri import call

# Always the same boundary: a repeated request has the same bytes.
boundary = "cauri-logo-8d1f0a7c5b2e4936"
head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="logo.png"\r\n\r\n'
form = head.encode() + Path("logo.png").read_bytes() + f"\r\n--{boundary}--\r\n".encode()
headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
print(call("POST", "/v1/biz/biller/logo", form, headers=headers)["logo_url"])
