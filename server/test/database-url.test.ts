// What commands say of a DATABASE_URL that does not lead to a usable PostgreSQL: which setting is wrong, where it leads, and what is right.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { createSecureContext, TLSSocket } from 'node:tls'
import { connect } from '../src/database/connect.ts'
import { makeCertificates } from './support/certificates.ts'
import { copyDatabase } from './support/database.ts'
import { cashwrap, dataFolder, urlOf } from './support/program.ts'

const certificates = makeCertificates()
const sockets = new Set<Socket>()

/** What a PostgreSQL answers to the request for TLS, and then does. */
let answer: (socket: Socket) => void
const server = createServer((socket) => {
  sockets.add(socket)
  socket.on('error', () => {})
  socket.once('data', () => answer(socket))
})
before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
after(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

const withoutTls = (socket: Socket) => void socket.end('N')
const withCertificate = (certificate: typeof certificates.good) => (socket: Socket) => {
  socket.write('S')
  const secureContext = createSecureContext(certificate)
  new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => {})
}
/** Refuses a login without TLS, as PostgreSQL does whose pg_hba.conf has `hostssl` only. */
const onlyTls = (socket: Socket) => {
  const fields = ['SFATAL', 'C28000', 'Mno pg_hba.conf entry for host "127.0.0.1", user "u", no encryption', '']
  const text = Buffer.from(fields.map((field) => `${field}\0`).join(''))
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(text.length + 4, 1)
  socket.end(Buffer.concat([head, text]))
}

/** Asserts that commands with the URL end with one sentence, and returns what it says. */
async function refusal(t: TestContext, url: string): Promise<string> {
  const said = new Set<string>()
  for (const args of [
    ['company', 'list'],
    ['backup', join(await dataFolder(t), 'backups')],
    ['mark-restored', '--moment', '2026-01-01T00:00:00Z'],
    ['dump', join(await dataFolder(t), 'shops.dump')],
  ]) {
    const { code, stdout, stderr } = await cashwrap(args, { DATABASE_URL: url })
    assert.deepEqual([code, stdout], [1, ''], stderr)
    assert.match(stderr, /^error: [^\n]+\n$/)
    assert.doesNotMatch(stderr, /hidden/)
    said.add(stderr)
  }
  assert.equal(said.size, 1, [...said].join(''))
  return [...said].join('')
}

const urlWith = (query: string, port = (server.address() as { port: number }).port) =>
  `postgres://u:hidden@127.0.0.1:${port}/shop${query}`

test('an unreachable database is named with its host and the setting, by each command, also by backup', async (t) => {
  assert.match(await refusal(t, urlWith('', 1)), /cannot be reached at 127\.0\.0\.1:1\/shop .* that DATABASE_URL is/)
})

test('a server without TLS, one that requires it, and an untrusted or expired certificate each have their own message', async (t) => {
  answer = withoutTls
  assert.match(
    await refusal(t, urlWith('?sslmode=verify-full')),
    /127\.0\.0\.1:\d+\/shop does not offer TLS, which sslmode in DATABASE_URL requires\. Set ssl = on .*or sslmode=disable/,
  )
  answer = onlyTls
  assert.match(
    await refusal(t, urlWith('')),
    /refuses the user of DATABASE_URL without TLS .*\?sslmode=verify-full to DATABASE_URL/,
  )
  answer = withCertificate(certificates.good)
  assert.match(
    await refusal(t, urlWith('?sslmode=verify-full')),
    /certificate of PostgreSQL at 127\.0\.0\.1:\d+\/shop is not trusted .*sslrootcert=/,
  )
  const other = join(await dataFolder(t), 'other.pem')
  await writeFile(other, certificates.selfSigned.cert)
  assert.match(await refusal(t, urlWith(`?sslmode=verify-full&sslrootcert=${other}`)), /is not trusted/)
  answer = withCertificate(certificates.expired)
  await writeFile(other, certificates.ca)
  assert.match(
    await refusal(t, urlWith(`?sslmode=verify-full&sslrootcert=${other}`)),
    /certificate of PostgreSQL at 127\.0\.0\.1:\d+\/shop, or that of its certificate authority, has expired\. Renew it/,
  )
})

test('a certificate file that cannot be read is named', async (t) => {
  assert.match(
    await refusal(t, urlWith('?sslmode=verify-full&sslrootcert=/nowhere/ca.pem')),
    /A file that DATABASE_URL names cannot be read \(ENOENT.*'\/nowhere\/ca\.pem'\)\. Correct its sslrootcert/,
  )
})

test('PostgreSQL shows whose connections they are, by a name that the URL may replace', async (t) => {
  const { connection, drop } = await copyDatabase()
  const nameOf = async (query: string) => {
    const database = connect({ connectionString: urlOf(connection) + query })
    const client = await database.connectAlone()
    const named = { text: `select current_setting('application_name')`, rowMode: 'array' } as const
    const { rows } = await client.query(named).finally(() => client.end())
    const [row] = await database.query(named.text).finally(() => database.close())
    return [rows[0]?.[0], row?.[0]]
  }
  t.after(drop)
  assert.deepEqual(await nameOf(''), ['cashwrap', 'cashwrap'])
  assert.deepEqual(await nameOf('&application_name=shop'), ['shop', 'shop'])
})
