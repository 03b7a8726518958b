. ./cauri.sh

cauri PUT /v1/biz/biller '{
  "display_name": "Énergie du Sahel",
  "category": "electricity",
  "short_desc": "L’électricité de Dakar à Tambacounda."
}'
