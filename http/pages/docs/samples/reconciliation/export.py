import os
import shutil
import urllib.request

headers = {"X-Api-Key": os.environ["CAURI_API_KEY"], "X-Api-Secret": os.environ["CAURI_API_SECRET"], "Accept": "text/csv"}
request = urllib.request.Request(os.environ["CAURI_URL"] + "/v1/biz/transactions", headers=headers)
with urllib.request.urlopen(request) as response, open("statement.csv", "wb") as file:
    shutil.copyfileobj(response, file)
print("written: statement.csv")
