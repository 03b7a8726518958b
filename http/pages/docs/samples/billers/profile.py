from cauri import call

profile = call("PUT", "/v1/biz/biller", {
    "display_name": "Énergie du Sahel",
    "category": "electricity",
    "short_desc": "L’électricité de Dakar à Tambacounda.",
})
print(profile["slug"], profile["directory_state"])
