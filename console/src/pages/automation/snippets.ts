// Receivers that verify signatures, to copy: the same programs as in the guide to webhooks.
export const snippets = {
  node: `import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = process.env.SECRET
const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)

function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': sent, 'webhook-signature': given = '' } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(sent)) < 300)) return false
  const hmac = createHmac('sha256', key).update(\`\${id}.\${sent}.\`).update(body).digest('base64')
  const right = Buffer.from(\`v1,\${hmac}\`)
  return given.split(' ').some((one) => {
    const other = Buffer.from(one)
    return other.length === right.length && timingSafeEqual(other, right)
  })
}

createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end()
  // Keep it under its webhook-id, answer, and do the work afterwards.
  console.log(request.headers['webhook-id'], body.toString())
  response.writeHead(204).end()
}).listen(9000, '127.0.0.1')
`,
  python: `import base64, hashlib, hmac, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

secret = os.environ['SECRET']
key = base64.b64decode(secret[6:]) if secret.startswith('whsec_') else secret.encode()

def is_genuine(headers, body):
    id, sent, given = (headers.get('webhook-' + name, '') for name in ('id', 'timestamp', 'signature'))
    if not sent.isdecimal() or abs(time.time() - int(sent)) > 300:
        return False
    signed = f'{id}.{sent}.'.encode() + body
    right = b'v1,' + base64.b64encode(hmac.digest(key, signed, hashlib.sha256))
    return any(hmac.compare_digest(one.encode(), right) for one in given.split(' '))

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers['content-length']))
        if not is_genuine(self.headers, body):
            return self.answer(401)
        # Keep it under its webhook-id, answer, and do the work afterwards.
        print(self.headers['webhook-id'], body.decode(), flush=True)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

HTTPServer(('127.0.0.1', 9000), Receiver).serve_forever()
`,
} as const
