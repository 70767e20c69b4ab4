// `cashwrap mcp`: the tools of agents over standard input and output, for clients that start a program instead of calling a URL.

import { once } from 'node:events'
import { type Command, CommanderError } from 'commander'

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
    .action(async ({ readOnly = false, tools }: { readonly readOnly?: boolean; readonly tools?: string }) => {
      const base = baseUrl()
      const key = keyOf()
      const [{ serveStdio }, { toolServer, wrongTools }, { remoteServer, retriedRequests }] = await Promise.all([
        import('@modelcontextprotocol/server/stdio'),
        import('../features/mcp/protocol.ts'),
        import('../features/mcp/tool.ts'),
      ])
      const settings = { readOnly, tools: tools?.split(',').map((name) => name.trim()) }
      const wrong = wrongTools(settings)
      if (wrong !== undefined) throw new CommanderError(2, 'cashwrap.unknownTool', `--tools ${wrong}`)
      const ask = retriedRequests(remoteServer(base, key))
      // A file or /dev/null, as in a container without input, ends and is never closed.
      const closed = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')])
      serveStdio(() => toolServer(ask, settings))
      await closed
    })
}

function keyOf(): string {
  const key = process.env.CASHWRAP_API_KEY
  if (key) return key
  throw new CommanderError(2, 'cashwrap.missingKey', 'CASHWRAP_API_KEY is not set: it must be a company’s key')
}

function baseUrl(): URL {
  const base = URL.parse(process.env.CASHWRAP_URL || `http://127.0.0.1:${process.env.PORT || 8080}`)
  if (base !== null && /^https?:$/.test(base.protocol)) return base
  throw new CommanderError(2, 'cashwrap.unusableUrl', 'CASHWRAP_URL is not an HTTP URL such as http://127.0.0.1:8080')
}
