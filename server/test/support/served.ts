// A server in the test's own process, as `cashwrap serve` starts it: for tests of what servers of a database do, and not of their processes.
import type { TestContext } from 'node:test'
import pino from 'pino'
import type { Connection } from '../../src/database/connect.ts'
import { firstLink } from '../../src/features/people/links.ts'
import { createFirstTenant, type FirstTenant } from '../../src/features/tenants/tenants.ts'
import { type ServiceSettings, startService } from '../../src/service.ts'
import { patientStatements, testSettings } from './service.ts'

/** A server that has started. */
interface Served {
  readonly url: string
  /** The first company of a database that had none. */
  readonly first: FirstTenant
  /** The path of the link that makes a person the first owner; undefined once there is one. */
  readonly link: string | undefined
  /** Its log so far, as JSON lines. */
  log(): string
  stop(): Promise<void>
}

/** Starts a server with settings; it stops with the test at the latest. */
export async function serveHere(
  t: Pick<TestContext, 'after'>,
  connection: Connection,
  settings: Partial<ServiceSettings> = {},
): Promise<Served> {
  const lines: string[] = []
  const log = pino({ base: null }, { write: (line) => lines.push(line) })
  const service = await startService({ ...connection, ...patientStatements }, { ...testSettings, log, ...settings })
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= service.close()
    return stopping
  }
  t.after(stop)
  const first = (await createFirstTenant(service.database)) as FirstTenant
  const link = await firstLink(service.database)
  return { url: service.url, first, link, log: () => lines.join(''), stop }
}
