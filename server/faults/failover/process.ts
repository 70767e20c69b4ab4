// A program of the cluster as a process of an unprivileged user, with its output in a file.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { createServer } from 'node:net'
import { type Account, environment, runAs } from '../../src/database/embedded/account.ts'
import type { Ending } from '../ending.ts'

/** What starts the programs of a cluster: who runs them, and where their output is. */
export interface Host {
  readonly account: Account
  readonly folder: string
  readonly ending: Ending
}

/** Starts a program in the foreground; its output is added to the file. It is killed at the end. */
export async function startProgram(
  { account, folder, ending }: Host,
  log: string,
  command: string,
  args: readonly string[],
): Promise<ChildProcess> {
  const output = await open(log, 'a')
  const stdio = ['ignore', output.fd, output.fd] as const
  const child = spawn(command, args, { cwd: folder, env: environment, ...runAs(account), stdio: [...stdio] })
  await once(child, 'spawn').finally(() => output.close())
  ending.after(() => kill(child))
  return child
}

/** Kills a program with SIGKILL, and resolves when it is gone. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** Ports that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    }),
  )
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}
