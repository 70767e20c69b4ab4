// Two server processes on one database, as `cashwrap serve` starts them; each can be killed and started again.
import type { TestContext } from 'node:test'
import { type Environment, type Program, serve } from '../test/support/program.ts'
import type { Findings } from './findings.ts'

export interface Servers {
  /** Addresses of the running ones. */
  urls(): string[]
  /** The index of the server with this process; throws if it is none of them. */
  numberOf(pid: number): number
  /** Kills one with SIGKILL, and resolves when it is gone. */
  kill(number: number): Promise<void>
  /** Starts a killed one again, on another port; resolves when it is ready. */
  restart(number: number): Promise<void>
  /** Stops all, and reports each that does not end in order. */
  stop(findings: Findings): Promise<void>
}

/** All servers of one database have one secret. */
export const common = { LOG_LEVEL: 'error', CASHWRAP_SECRET_KEY: 'a secret of the fault suite alone' }

export async function startServers(
  ending: Pick<TestContext, 'after'>,
  environment: Environment,
  count = 2,
): Promise<Servers> {
  const running: (Program | undefined)[] = []
  const start = async (number: number) => {
    running[number] = await serve(ending, { ...common, ...environment })
  }
  for (let number = 0; number < count; number++) await start(number)
  return {
    numberOf(pid) {
      const found = running.findIndex((program) => program?.process.pid === pid)
      if (found === -1) throw new Error(`Process ${pid} is none of the servers.`)
      return found
    },
    urls: () => running.flatMap((program) => (program ? [program.url] : [])),
    async kill(number) {
      const program = running[number]
      running[number] = undefined
      await program?.stop('SIGKILL')
    },
    restart: start,
    async stop(findings) {
      for (const program of running.splice(0)) {
        const ended = await program?.stop()
        if (ended !== undefined && ended.code !== 0)
          findings.wrong.push(`a server ended with ${ended.code ?? ended.signal}: ${ended.stderr.slice(-1_000)}`)
      }
    },
  }
}
