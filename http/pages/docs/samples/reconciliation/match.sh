. ./cauri.sh

# One order: an empty list means that nothing was paid.
for reference in CMD-118 CMD-119; do
  cauri GET "/v1/biz/transactions?type=charge&reference=$reference"
done
