// An embedded PostgreSQL that a process of its own runs, so that a test can kill the process or put it into a container.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { EmbeddedDatabase } from '../../src/database/embedded/embedded.ts'

export interface EmbeddedChild {
  readonly process: ChildProcess
  readonly state: EmbeddedDatabase['state']
}

interface Opening {
  readonly dataDirectory: string
  readonly settings: Record<string, string>
  /** Carried out once the database is open. */
  readonly sql?: string
  /** A command that runs the process, such as one that gives it namespaces of its own. */
  readonly within?: readonly string[]
}

/** Opens the database in a process that then waits to be killed. */
export async function openEmbeddedInChild({ dataDirectory, settings, sql = 'select 1', within = [] }: Opening) {
  const source = `
    import { openEmbedded } from ${JSON.stringify(import.meta.resolve('../../src/database/embedded/embedded.ts'))}
    import { Client } from ${JSON.stringify(import.meta.resolve('pg'))}
    const database = await openEmbedded({ ...${JSON.stringify({ dataDirectory, settings })}, log() {} })
    const client = new Client(database.connection)
    await client.connect()
    await client.query(${JSON.stringify(sql)})
    console.log(database.state)
    setInterval(() => {}, 1000)`
  const [command = '', ...words] = [...within, process.execPath, '--input-type=module', '-e', source]
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [state] = await once(child.stdout, 'data')
  return { process: child, state: String(state).trim() } as EmbeddedChild
}
