// A member of the cluster: a Patroni and the PostgreSQL that it runs, each of which can be killed or frozen.
import type { ChildProcess } from 'node:child_process'
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, stringify } from 'yaml'
import { readPostmaster } from '../../src/database/embedded/socket.ts'
import { children, signal } from '../postgres-processes.ts'
import { type Host, kill, startProgram } from './process.ts'
import type { Programs } from './programs.ts'

/** The configuration that operators are given; only addresses, folders and users differ here. */
const template = fileURLToPath(new URL('../../../deploy/patroni/patroni.yml', import.meta.url))
/** Milliseconds that a member may take to say what it is; a frozen one never does. */
const answerMs = 1_000

/** What a member may be, as Patroni's paths ask for it. */
type Role = 'primary' | 'replica'

interface MemberPlace {
  readonly name: string
  readonly port: number
  readonly restPort: number
  readonly etcdPort: number
}

export class Member {
  readonly name: string
  readonly port: number
  readonly rest: string
  readonly directory: string
  readonly #host: Host
  readonly #program: string
  readonly #config: string
  readonly #log: string
  #patroni: ChildProcess | undefined
  readonly #frozen = new Set<number>()

  private constructor(host: Host, { patroni }: Programs, { name, port, restPort }: MemberPlace) {
    this.name = name
    this.port = port
    this.rest = `http://127.0.0.1:${restPort}`
    this.directory = join(host.folder, name, 'data')
    this.#host = host
    this.#log = join(host.folder, `${name}.log`)
    this.#program = patroni
    this.#config = join(host.folder, name, 'patroni.yml')
  }

  /** Writes its configuration; `start` starts it. */
  static async create(host: Host, programs: Programs, place: MemberPlace): Promise<Member> {
    const member = new Member(host, programs, place)
    const folder = join(host.folder, place.name)
    await mkdir(folder)
    await chown(folder, host.account.uid, host.account.gid)
    const config = parse(await readFile(template, 'utf8'))
    const listen = `127.0.0.1:${place.port}`
    const restListen = `127.0.0.1:${place.restPort}`
    const own = {
      ...config,
      name: place.name,
      restapi: { listen: restListen, connect_address: restListen },
      etcd3: { hosts: `127.0.0.1:${place.etcdPort}` },
      postgresql: {
        ...config.postgresql,
        listen,
        connect_address: listen,
        data_dir: member.directory,
        bin_dir: programs.postgres,
        pgpass: join(folder, 'pgpass'),
        parameters: { unix_socket_directories: folder, shared_buffers: '64MB' },
        pg_hba: ['host replication all 127.0.0.1/32 trust', 'host all all 127.0.0.1/32 trust'],
      },
    }
    await writeFile(member.#config, stringify(own))
    host.ending.after(() => member.kill())
    return member
  }

  async start(): Promise<void> {
    this.#patroni = await startProgram(this.#host, this.#log, this.#program, [this.#config])
  }

  /** The last lines of its log, for the report of a cluster that does not recover. */
  async logEnd(): Promise<string> {
    const lines = (await readFile(this.#log, 'utf8')).trimEnd().split('\n')
    return [`${this.name}:`, ...lines.slice(-20)].join('\n  ')
  }

  /** Whether it says of itself that it is one. */
  async is(role: Role): Promise<boolean> {
    const answer = await fetch(`${this.rest}/${role}`, { signal: AbortSignal.timeout(answerMs) }).catch(() => undefined)
    await answer?.body?.cancel()
    return answer?.status === 200
  }

  /** The names of the standbys that may take over, as etcd has them now; what a member says of itself may be seconds old. */
  async synchronous(): Promise<string[]> {
    const { members = [] } = await fetch(`${this.rest}/cluster`, { signal: AbortSignal.timeout(answerMs) })
      .then((answer) => answer.json() as Promise<{ members?: { name: string; role: string }[] }>)
      .catch(() => ({ members: [] }))
    return members.filter(({ role }) => role === 'sync_standby').map(({ name }) => name)
  }

  /** Kills Patroni alone: PostgreSQL goes on without it. */
  async killPatroni(): Promise<void> {
    if (this.#patroni) await kill(this.#patroni)
    this.#patroni = undefined
  }

  /** Kills PostgreSQL with all its processes. */
  async killPostgres(): Promise<void> {
    for (const pid of await this.#postgres()) signal(pid, 'SIGKILL')
  }

  /** Kills both, as a machine that loses power. */
  async kill(): Promise<void> {
    const pids = await this.#postgres()
    await this.killPatroni()
    for (const pid of pids) signal(pid, 'SIGKILL')
  }

  /** Stops both, as on a machine that is being moved; connections to it stay open. */
  async freeze(): Promise<void> {
    const stop = (pid: number) => {
      this.#frozen.add(pid)
      signal(pid, 'SIGSTOP')
    }
    if (this.#patroni?.pid) stop(this.#patroni.pid)
    const [main, ...others] = await this.#postgres()
    if (main !== undefined) stop(main)
    for (const pid of [...others, ...(await this.#postgres())]) stop(pid)
  }

  thaw(): void {
    for (const pid of this.#frozen) signal(pid, 'SIGCONT')
    this.#frozen.clear()
  }

  /** The processes of its PostgreSQL, the first its parent; none if it does not run. */
  async #postgres(): Promise<number[]> {
    const found = await readPostmaster(this.directory)
    const isRunning = found && (await readFile(`/proc/${found.pid}/comm`, 'utf8').catch(() => '')) === 'postgres\n'
    return isRunning ? [found.pid, ...(await children(found.pid).catch(() => []))] : []
  }
}
