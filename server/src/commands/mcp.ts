// `cashwrap mcp`: the tools of agents over standard input and output, for clients that start a program instead of calling a URL.
import { once } from 'node:events'
import { type Command, CommanderError } from 'commander'
import type { Ask } from '../features/mcp/tool.ts'

/** Milliseconds after which a request to the server is given up; the server itself answers sooner. */
const DEADLINE_MS = 20_000

export function addMcp(program: Command): void {
  program
    .command('mcp')
    .description('offer a server’s tools to an AI agent over standard input and output (Model Context Protocol)')
    .option('--read-only', 'offer only tools that read')
    .option('--tools <names>', 'the only tools to offer, separated by commas')
    .addHelpText(
      'after',
      `
The environment names the server and the key:
  CASHWRAP_URL      base URL of the server (default: this machine, at PORT)
  CASHWRAP_API_KEY  a company's key; its permissions decide which tools there are

Example:
  $ CASHWRAP_API_KEY=posk_… cashwrap mcp --read-only`,
    )
    .action(async ({ readOnly, tools }: { readonly readOnly?: boolean; readonly tools?: string }) => {
      const ask = asking(process.env.CASHWRAP_URL || `http://127.0.0.1:${process.env.PORT || 8080}`, keyOf())
      const [{ serveStdio }, { toolServer }, { retried }] = await Promise.all([
        import('@modelcontextprotocol/server/stdio'),
        import('../features/mcp/protocol.ts'),
        import('../features/mcp/retried.ts'),
      ])
      const settings = { readOnly: readOnly === true, tools: tools?.split(',') }
      const closed = once(process.stdin, 'close')
      serveStdio(() => toolServer(retried(ask), settings))
      await closed
    })
}

function keyOf(): string {
  const key = process.env.CASHWRAP_API_KEY
  if (key) return key
  throw new CommanderError(2, 'cashwrap.missingKey', 'CASHWRAP_API_KEY is not set: it must be a company’s key')
}

/** Makes requests to a server. */
function asking(base: string, key: string): Ask {
  const origin = URL.parse(base)
  if (origin === null || !/^https?:$/.test(origin.protocol))
    throw new CommanderError(2, 'cashwrap.unusableUrl', `CASHWRAP_URL is not an HTTP URL such as http://127.0.0.1:8080`)
  return async ({ method, path, query = {}, body, idempotencyKey }) => {
    const url = new URL(`${origin.href.replace(/\/$/, '')}${path}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.append(name, String(value))
    const response = await fetch(url, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(DEADLINE_MS),
      headers: {
        'x-api-key': key,
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, text: await response.text() }
  }
}
