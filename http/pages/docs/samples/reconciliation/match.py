from cauri import call

# Your own records: reference and amount of each order.
orders = {"CMD-118": 1500, "CMD-119": 4000}
cursor = ""
while cursor is not None:
    page = call("GET", f"/v1/biz/transactions?type=charge&limit=100{cursor and '&cursor=' + cursor}")
    for line in page["data"]:
        if orders.pop(line["reference"], None) == line["amount"]:
            print("same:", line["reference"], line["id"])
        else:
            print("only at Cauri, or another amount:", line["reference"], line["amount"])
    cursor = page["next_cursor"]
for reference in orders:
    print("only in your records:", reference)
