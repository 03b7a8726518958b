import json
import os
import urllib.request

from cauri import OPENER

request = urllib.request.Request(os.environ["CAURI_URL"] + "/v1/me/events", headers={
    "Authorization": "Bearer " + os.environ["ACCESS_TOKEN"],
    "Last-Event-ID": "0",
})
with OPENER.open(request, timeout=30) as stream:
    for line in stream:
        if line.startswith(b"data:"):
            print(json.loads(line[5:])["type"])
            break
