import json
import os
import urllib.request

from cauri import OPENER

request = urllib.request.Request(os.environ["CAURI_URL"] + "/v1/biz/events/stream", headers={
    "X-Api-Key": os.environ["CAURI_API_KEY"],
    "X-Api-Secret": os.environ["CAURI_API_SECRET"],
    "Last-Event-ID": "0",
})
with OPENER.open(request, timeout=30) as stream:
    for line in stream:
        # Lines with `id:` hold what Last-Event-ID takes; a line `:` comes every five seconds.
        if line.startswith(b"data:"):
            print(json.loads(line[5:])["type"])
            break
