// A process that runs commands of `cashwrap` one after another, as a parent asks for them: starting a process takes longer than most commands.
import { runCommandLine } from '../../src/commands/command-line.ts'

/** A command to run: its words and the whole environment that it sees. */
export interface Asked {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** What a command that did not have to be killed ended with. */
export interface Answered {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const { stdout, stderr } = process

process.on('message', async ({ args, env }: Asked) => {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  const written = { stdout: '', stderr: '' }
  for (const [name, stream] of Object.entries({ stdout, stderr }))
    stream.write = (text: string | Uint8Array) => {
      written[name as keyof typeof written] += text
      return true
    }
  process.exitCode = undefined
  const code = await runCommandLine(args)
  // Of a service that was refused: a command that is killed would take them for its own.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal)
  process.send?.({ code, ...written } satisfies Answered)
})
process.once('disconnect', () => process.exit())
