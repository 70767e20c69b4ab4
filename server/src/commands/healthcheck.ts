// `cashwrap healthcheck`: asks a server whether it is ready, for containers and scripts.
import { type Command, CommanderError } from 'commander'
import { readConfig, urlOf } from '../config.ts'
import { OperatorError } from '../core/operator-error.ts'
import { describe, type Output, print } from './output.ts'

/** Milliseconds after which a server that does not answer is not ready. */
const DEADLINE_MS = 3_000

export function addHealthcheck(program: Command): void {
  describe(
    program
      .command('healthcheck')
      .argument('[url]', 'base URL of the server (default: this machine, at HOST and PORT)'),
    'exit with code 0 if a server is ready for requests, with 1 and the reason if not',
    'cashwrap healthcheck http://127.0.0.1:8080',
  ).action(async (url: string | undefined, output: Output) => {
    const address = readyAddress(url ?? ownUrl())
    await askWhetherReady(address)
    print(output, { url: address.origin, isReady: true }, () => `${address.origin} is ready.`)
  })
}

/** Where a server with these settings listens. */
function ownUrl(): string {
  const { host, port } = readConfig()
  if (port === 0) throw unusable('PORT is 0, which is any free port: pass the URL that the server printed.')
  return urlOf(host, port)
}

function readyAddress(base: string): URL {
  const address = URL.parse(base)
  // What is refused is not shown: it may contain a password.
  if (address === null || !/^https?:$/.test(address.protocol) || address.href !== address.origin + address.pathname)
    throw unusable('The URL must be an http(s) URL without user, query or fragment, such as http://127.0.0.1:8080.')
  return new URL(`${address.href.replace(/\/$/, '')}/v1/public/ready`)
}

const unusable = (message: string) => new CommanderError(2, 'cashwrap.unusableUrl', message)

/** Throws OperatorError with the reason if the server is not ready. */
async function askWhetherReady(address: URL): Promise<void> {
  let response: Response
  try {
    response = await fetch(address, { signal: AbortSignal.timeout(DEADLINE_MS), redirect: 'error' })
  } catch (error) {
    const { name, message, cause } = error as Error
    const reason =
      name === 'TimeoutError' ? `no answer within ${DEADLINE_MS / 1000} seconds` : causeOf(cause, address) || message
    if (reason === 'bad port')
      throw unusable(
        `Port ${address.port} is for another protocol, so browsers and this command do not call it: start the server with another PORT, such as 8080.`,
      )
    throw new OperatorError(`${address.origin} is not ready: ${reason}.`)
  }
  if (response.ok) return void (await response.body?.cancel())
  const answer = (await response.json().catch(() => undefined)) as
    | { readonly reason?: unknown; readonly detail?: unknown }
    | undefined
  const reason = answer?.reason ?? answer?.detail
  throw new OperatorError(
    `${address.origin} is not ready: it answers ${response.status}${typeof reason === 'string' ? ` (${reason})` : ''}.`,
  )
}

/** What a failed connection says; one to several addresses has a failure for each. */
function causeOf(cause: unknown, { host }: URL): string {
  const [first] = cause instanceof AggregateError ? cause.errors : [cause]
  if (!(first instanceof Error)) return ''
  // OpenSSL's own message is a line of its source.
  const { code, message, reason } = first as Error & { readonly code?: string; readonly reason?: string }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return `it does not speak TLS: use http://${host}`
  return reason ?? message
}
