# A first program in bash: a product with stock, a webhook, a sale, and a list page by page. It needs curl, jq and openssl.
set -euo pipefail
URL=${URL:-http://127.0.0.1:8080} PORT=${PORT:-9000}
# A refused request ends the program with the response, which says what is wrong.
call() {
  local answer
  answer=$(curl -sS --fail-with-body -H "x-api-key: $KEY" "$@") || { echo "$answer" >&2; return 1; }
  echo "$answer"
}
get() { call "$URL$1"; }
send() { call -X "$1" -H 'content-type: application/json' "$URL$2" -d "${3:-}"; }

# A product, its variant, and 40 bags of it at an outlet.
OUTLET=$(send POST /v1/outlet '{"name": "Main Street"}' | jq -r .id)
PRODUCT=$(send POST /v1/product '{"name": "Espresso beans", "status": "active"}' | jq -r .id)
VARIANT=$(send POST /v1/variant '{"productId": "'$PRODUCT'", "sku": "ESP-250", "price": 12.5, "manageStock": true,
  "inventory": [{"outletId": "'$OUTLET'", "stock": 40}]}' | jq -r .id)

# A shell cannot listen, so Node stores one call as it came: its headers and its body.
INBOX=$(mktemp -d)
trap 'kill $RECEIVER 2> /dev/null || true; rm -r "$INBOX"' EXIT
exec 3< <(exec node -e '
  const { createWriteStream, writeFileSync } = require("fs")
  const [port, inbox] = process.argv.slice(1)
  const server = require("http").createServer((call, answer) => {
    writeFileSync(inbox + "/headers", JSON.stringify(call.headers))
    call.pipe(createWriteStream(inbox + "/body")).on("finish", () => { answer.writeHead(204).end(); server.close() })
  }).listen(port, "127.0.0.1", () => console.log("listening"))' "$PORT" "$INBOX")
RECEIVER=$!
read -r <&3
SECRET=$(openssl rand -base64 32)
TRIGGER=$(send POST /v1/automation-trigger '{"triggerType": "order.completed", "triggerUrl": "http://127.0.0.1:'$PORT'/",
  "apiKey": "whsec_'$SECRET'"}' | jq -r .id)

# A sale of two bags. The service computes the sums and the change, and moves the stock.
SALE=$(send POST /v1/sale '{"outletId": "'$OUTLET'",
  "lineItems": [{"variantId": "'$VARIANT'", "price": "12.50", "quantity": 2, "taxes": [{"name": "VAT", "percentage": 20}]}],
  "payments": [{"paymentMethod": "cash", "amount": "50.00"}]}')
jq -r '"sold: \(.order.summary.total), change \(.order.paymentMethods[0].change), \(.stock[0].stock) bags left"' <<< "$SALE"

# The signature is an HMAC of id, time and body, with the bytes of the secret.
wait $RECEIVER
header() { jq -r '.["webhook-'"$1"'"]' "$INBOX/headers"; }
SIGNED=$({ printf '%s.%s.' "$(header id)" "$(header timestamp)"; cat "$INBOX/body"; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$(base64 -d <<< "$SECRET" | od -An -vtx1 | tr -d ' \n')" -binary | base64)
AGE=$(($(date +%s) - $(header timestamp)))
[[ " $(header signature) " == *" v1,$SIGNED "* && ${AGE#-} -lt 300 ]] && echo 'webhook: verified'
send DELETE "/v1/automation-trigger/$TRIGGER" > /dev/null

# Four more products in one request, then all of them, two on a page.
send POST /v1/products '{"items": [{"name": "Filter"}, {"name": "Grinder"}, {"name": "Kettle"}, {"name": "Mug"}]}' > /dev/null
CURSOR=
while [[ $CURSOR != null ]]; do
  PAGE=$(get "/v1/products?sortBy=name&limit=2${CURSOR:+&cursor=$CURSOR}")
  jq -r '.data[] | "product: \(.name)"' <<< "$PAGE"
  CURSOR=$(jq -r .meta.nextCursor <<< "$PAGE")
done
