// An authenticator for tests: makes passkeys and signs with them as a device does, rightly or wrongly (WebAuthn Level 3).
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { type Browser, password } from './people.ts'
import type { Caller, Reply, TestService } from './service.ts'

/** CBOR (RFC 8949) of what attestations consist of. */
function cbor(value: unknown): Buffer {
  const head = (major: number, n: number) =>
    n < 24
      ? Buffer.from([(major << 5) | n])
      : n < 256
        ? Buffer.from([(major << 5) | 24, n])
        : Buffer.from([(major << 5) | 25, n >> 8, n & 255])
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...(value as Map<unknown, unknown>)]
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, item]) => [cbor(key), cbor(item)])])
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const text = (data: Buffer): string => data.toString('base64url')

/** What a response says otherwise than a good device would. */
interface Wrongly {
  readonly challenge?: string
  readonly origin?: string
  readonly host?: string
  readonly counter?: number
  readonly userHandle?: string
  /** Whether the device has checked its user. */
  readonly isVerified?: boolean
  readonly type?: string
}

export class Authenticator {
  readonly id = text(randomBytes(16))
  readonly #key: KeyObject
  readonly #public: Buffer
  #counter = 0
  #userHandle = ''

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.#key = privateKey
    this.#public = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    )
  }

  /** A response to options of a registration. */
  create(options: any, origin: string, wrong: Wrongly = {}): object {
    this.#userHandle = options.user.id
    const credential = Buffer.from(this.id, 'base64url')
    const attested = [Buffer.alloc(16), Buffer.from([0, credential.length]), credential, this.#public]
    const authData = Buffer.concat([this.#data(options.rp.id, wrong, 0x40), ...attested])
    const statement = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    const clientDataJSON = this.#client('webauthn.create', options, origin, wrong)
    return this.#response({ clientDataJSON, attestationObject: text(cbor(statement)), transports: ['internal'] })
  }

  /** A response to options of a sign-in. */
  get(options: any, origin: string, wrong: Wrongly = {}): object {
    this.#counter++
    const authenticatorData = this.#data(options.rpId, wrong)
    const clientDataJSON = this.#client('webauthn.get', options, origin, wrong)
    const signed = Buffer.concat([authenticatorData, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    return this.#response({
      clientDataJSON,
      authenticatorData: text(authenticatorData),
      signature: text(sign('sha256', signed, this.#key)),
      userHandle: wrong.userHandle ?? this.#userHandle,
    })
  }

  #data(host: string, wrong: Wrongly, flags = 0): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(wrong.counter ?? this.#counter)
    const seen = wrong.isVerified === false ? 0x01 : 0x05
    return Buffer.concat([sha256(wrong.host ?? host), Buffer.from([flags | seen]), counter])
  }

  #client(type: string, { challenge }: { challenge: string }, origin: string, wrong: Wrongly): string {
    const said = { type: wrong.type ?? type, challenge: wrong.challenge ?? challenge, origin: wrong.origin ?? origin }
    return text(Buffer.from(JSON.stringify({ ...said, crossOrigin: false })))
  }

  #response(response: object): object {
    return { id: this.id, rawId: this.id, type: 'public-key', response, clientExtensionResults: {} }
  }
}

/** The service by a name: addresses of numbers have no passkeys. */
export const named = ({ url }: Pick<TestService, 'url'>): string => url.replace('127.0.0.1', 'localhost')

/** Calls of a person's browser at the service's name. */
export const byName = (service: TestService, { cookie, csrfToken }: Browser): Caller =>
  service.caller({ cookie, 'x-csrf-token': csrfToken }, named(service))

/** Begins a registration: its options and token. */
export async function beginPasskey(call: Caller, code?: string): Promise<{ options: any; token: string }> {
  const reply = await call('POST', '/v1/console/passkeys/options', {
    currentPassword: password,
    ...(code !== undefined && { code }),
  })
  if (reply.status !== 200) throw new Error(reply.text)
  return reply.body
}

/** Registers a passkey for a person, and returns what holds it. */
export async function registerPasskey(service: TestService, browser: Browser, name = 'Phone', code?: string) {
  const call = byName(service, browser)
  const { options, token } = await beginPasskey(call, code)
  const authenticator = new Authenticator()
  const response = authenticator.create(options, named(service))
  const reply = await call('POST', '/v1/console/passkeys', { token, response, name })
  if (reply.status !== 201) throw new Error(reply.text)
  return { authenticator, passkey: reply.body }
}

/** Options and token of a sign-in. */
export async function beginSignIn(service: TestService): Promise<{ options: any; token: string }> {
  return (await service.caller({}, named(service))('POST', '/v1/console/passkey-sign-in/options')).body
}

/** Signs in with a passkey; `headers` are the caller's. */
export async function passkeySignIn(
  service: TestService,
  authenticator: Authenticator,
  wrong: Wrongly = {},
  headers: Record<string, string> = {},
): Promise<Reply> {
  const { options, token } = await beginSignIn(service)
  const response = authenticator.get(options, named(service), wrong)
  return service.caller(headers, named(service))('POST', '/v1/console/passkey-sign-in', { token, response })
}
