# A first program in Python: a product with stock, a webhook, a sale, and a list page by page.
import base64, hashlib, hmac, json, os, queue, sys, threading, time, urllib.error, urllib.request, uuid
from http.server import BaseHTTPRequestHandler, HTTPServer

url, key, port = os.environ.get('URL', 'http://127.0.0.1:8080'), os.environ['KEY'], int(os.environ.get('PORT', '9000'))

def send(method, path, body=None):
    headers = {'x-api-key': key, 'content-type': 'application/json'}
    if method == 'POST':
        headers['idempotency-key'] = str(uuid.uuid4())  # send it again with the same key, and it is not done twice
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url + path, data, headers, method=method)) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        sys.exit(error.read().decode())  # what is wrong

# A product, its variant, and 40 bags of it at an outlet.
outlet = send('POST', '/v1/outlet', {'name': 'Main Street'})
product = send('POST', '/v1/product', {'name': 'Espresso beans', 'status': 'active'})
variant = send('POST', '/v1/variant', {
    'productId': product['id'], 'sku': 'ESP-250', 'price': 12.5, 'manageStock': True,
    'inventory': [{'outletId': outlet['id'], 'stock': 40}],
})

# A receiver of webhooks. It refuses a call that is not signed with the secret.
secret = os.urandom(32)
received = queue.Queue()

def is_genuine(headers, body):
    id, sent, given = (headers.get('webhook-' + name, '') for name in ('id', 'timestamp', 'signature'))
    if not sent.isdecimal() or abs(time.time() - int(sent)) > 300:
        return False
    right = b'v1,' + base64.b64encode(hmac.digest(secret, f'{id}.{sent}.'.encode() + body, hashlib.sha256))
    return any(hmac.compare_digest(one.encode(), right) for one in given.split(' '))

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers['content-length']))
        genuine = is_genuine(self.headers, body)
        self.send_response(204 if genuine else 401)
        self.end_headers()
        if genuine:
            received.put(json.loads(body))

    def log_message(self, *args):
        pass

threading.Thread(target=HTTPServer(('127.0.0.1', port), Receiver).serve_forever, daemon=True).start()
trigger = send('POST', '/v1/automation-trigger', {
    'triggerType': 'order.completed', 'triggerUrl': f'http://127.0.0.1:{port}/',
    'apiKey': 'whsec_' + base64.b64encode(secret).decode(),
})

# A sale of two bags. The service computes the sums and the change, and moves the stock.
sale = send('POST', '/v1/sale', {
    'outletId': outlet['id'],
    'lineItems': [{'variantId': variant['id'], 'price': '12.50', 'quantity': 2, 'taxes': [{'name': 'VAT', 'percentage': 20}]}],
    'payments': [{'paymentMethod': 'cash', 'amount': '50.00'}],
})
order, [moved] = sale['order'], sale['stock']
print(f"sold: {order['summary']['total']}, change {order['paymentMethods'][0]['change']}, {moved['stock']} bags left")
print('webhook: verified' if received.get()['order']['id'] == order['id'] else 'webhook: of another order')
send('DELETE', '/v1/automation-trigger/' + trigger['id'])

# Four more products in one request, then all of them, two on a page.
send('POST', '/v1/products', {'items': [{'name': name} for name in ('Filter', 'Grinder', 'Kettle', 'Mug')]})
cursor = ''
while cursor is not None:
    page = send('GET', '/v1/products?sortBy=name&limit=2' + (f'&cursor={cursor}' if cursor else ''))
    for product in page['data']:
        print('product:', product['name'])
    cursor = page['meta'].get('nextCursor')
