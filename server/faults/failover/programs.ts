// Finds the programs of a cluster that fails over: Patroni, etcd, HAProxy, and a PostgreSQL with what Patroni needs of it.
import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, readdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

export interface Programs {
  readonly patroni: string
  readonly etcd: string
  readonly haproxy: string
  /** The folder of PostgreSQL's programs. */
  readonly postgres: string
}

const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']
/** Where Debian and Ubuntu have versions of PostgreSQL. */
const versionsFolder = '/usr/lib/postgresql'
/** What Patroni starts, beside `postgres` itself. */
const needed = ['postgres', 'initdb', 'pg_basebackup', 'pg_rewind', 'pg_controldata', 'pg_isready']

/** Whether a file can be run. */
const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

/** The path of a program. */
export async function find(program: string): Promise<string | undefined> {
  for (const folder of folders) if (await isExecutable(join(folder, program))) return join(folder, program)
}

async function findPostgres(): Promise<string | undefined> {
  const versions = (await readdir(versionsFolder).catch(() => [])).map(Number).filter((version) => version >= 15)
  for (const version of versions.sort((a, b) => b - a)) {
    const folder = join(versionsFolder, String(version), 'bin')
    const found = await Promise.all(needed.map((program) => isExecutable(join(folder, program))))
    if (found.every(Boolean)) return folder
  }
}

/** Whether a Patroni is too old: before 3.1, one whose process was frozen may keep an old copy of a key, and then no standby can take over. */
async function isTooOld(patroni: string): Promise<boolean> {
  const { stdout } = await promisify(execFile)(patroni, ['--version'])
  const [major = 0, minor = 0] = (/\d+\.\d+/.exec(stdout)?.[0] ?? '').split('.').map(Number)
  return major < 3 || (major === 3 && minor < 1)
}

/** The programs, or a sentence that says which are missing. */
export async function findPrograms(): Promise<Programs | string> {
  const [patroni, etcd, haproxy, postgres] = await Promise.all([
    ...['patroni', 'etcd', 'haproxy'].map(find),
    findPostgres(),
  ])
  if (patroni && (await isTooOld(patroni))) return 'Patroni is older than 3.1 (apt.postgresql.org has newer ones)'
  if (patroni && etcd && haproxy && postgres) return { patroni, etcd, haproxy, postgres }
  const found = { patroni, etcd, haproxy, 'PostgreSQL 15 or newer': postgres }
  const missing = Object.entries(found).flatMap(([name, path]) => (path ? [] : [name]))
  return `${missing.join(', ')} not found (on Debian: apt-get install patroni etcd-server haproxy postgresql)`
}
