// The program as a person runs it: servers and commands of `cashwrap`, what they print, and how they end.
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Connection } from '../../src/database/connect.ts'
import { runCommand } from './commands.ts'
import { copyDatabase } from './database.ts'

const script = fileURLToPath(new URL('../../bin/cashwrap.js', import.meta.url))
const CASHWRAP_SECRET_KEY = 'a secret that only tests know of and of 32 characters and more'
/** Longest time for anything here; what takes longer hangs. A first start took more than three minutes on a machine with a load of 40. */
export const patienceMs = 600_000

export type Environment = Readonly<Record<string, string>>

/** The result of a command. */
interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A server that has reported that it is ready. */
export interface Program {
  readonly process: ChildProcess
  readonly url: string
  /** Its output when it was ready, as JSON; undefined if it was started with text output. */
  readonly said: any
  printed(): string
  readonly ended: Promise<Ended>
  /** Its output to standard error so far. */
  log(): string
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

/** What a command sees of the environment. */
function environmentOf(environment: Environment): Record<string, string> {
  const { PATH = '', HOME = '', LANG = '', NODE_COMPILE_CACHE = '' } = process.env
  return {
    PATH,
    HOME,
    LANG,
    NODE_COMPILE_CACHE,
    HOST: '127.0.0.1',
    PORT: '0',
    // Without it a server with a database of the test's own would not start.
    ...(environment.DATABASE_URL && { CASHWRAP_SECRET_KEY }),
    ...environment,
  }
}

/** Starts a command in a process of its own; the caller waits for its end. */
export function start(args: readonly string[], environment: Environment, program = script) {
  const child = spawn(process.execPath, [program, ...args], {
    env: environmentOf(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text) => {
      written[name] += text
    })
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal, ...written }))
  return { child, written, ended }
}

/** Runs a command to its end in a process of its own: for tests of the process, and for what ends at a signal. */
export async function cashwrapAlone(args: readonly string[], environment: Environment): Promise<Ended> {
  const { child, ended } = start(args, environment)
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  return ended.finally(() => clearTimeout(timer))
}

/** Runs a command to its end, in a process that has run others. For `serve` only if it is refused: nothing would stop it. */
export async function cashwrap(args: readonly string[], environment: Environment): Promise<Ended> {
  return { signal: null, ...(await runCommand({ args, env: environmentOf(environment) }, patienceMs)) }
}

/** Runs a command with --json and returns the one document that it prints. */
export async function json(environment: Environment, ...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await cashwrap([...args, '--json'], environment)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

/** Runs commands one after another. */
export async function cashwrapEach(
  commands: readonly (readonly string[])[],
  environment: Environment,
): Promise<Ended[]> {
  const ended: Ended[] = []
  for (const args of commands) ended.push(await cashwrap(args, environment))
  return ended
}

/** Starts a server, of this version or of another one, and waits until it is ready; it stops with the test at the latest. */
export async function serve(
  t: Pick<TestContext, 'after'>,
  environment: Environment,
  options = ['--json'],
  program = script,
): Promise<Program> {
  const { child, written, ended } = start(['serve', ...options], environment, program)
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  await until('the server is ready', () => /http:.*\n$/s.test(written.stdout) || child.exitCode !== null)
  if (child.exitCode !== null) throw new Error(`The server ended with code ${child.exitCode}: ${written.stderr}`)
  const said = options.includes('--json') ? JSON.parse(written.stdout) : undefined
  return {
    process: child,
    url: said?.url ?? /http:\/\/[\w.]+:\d+/.exec(written.stdout)?.[0],
    said,
    printed: () => written.stdout,
    ended,
    log: () => written.stderr,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal)
      return ended
    },
  }
}

/** DATABASE_URL of a database that is reachable through a socket. */
export function urlOf({ host = '', port = 5432, user = '', database = '' }: Connection): string {
  return `postgres://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
}

/** Settings of a migrated, empty database of the test's own. */
export async function emptyDatabase(t: Pick<TestContext, 'after'>): Promise<Environment> {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  return { DATABASE_URL: urlOf(connection) }
}

/** A folder for one test that PostgreSQL can reach as any user; removed at the end. */
export async function dataFolder(t: Pick<TestContext, 'after'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cashwrap-program-'))
  await chmod(folder, 0o755)
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))
  return folder
}

/** Puts a PostgreSQL into a data folder, migrated and empty as after a first start. Copying takes a fifth of the time. */
export async function putCluster(folder: string, prepared = process.env.CASHWRAP_TEST_FOLDER ?? ''): Promise<void> {
  // Node's own copy does not keep the owner of the files.
  await promisify(execFile)('cp', ['-a', join(prepared, 'postgres'), folder])
}

/** A folder as `dataFolder`, with a PostgreSQL in it, for a test that is not about creating one. */
export async function clusterFolder(t: Pick<TestContext, 'after'>): Promise<string> {
  const folder = await dataFolder(t)
  await putCluster(folder)
  return folder
}

/**
 * A folder as `clusterFolder`, whose PostgreSQL had an archive at an earlier start and so archives at once. When the
 * archive is set for the first time, its archiver starts again, which takes ten seconds or more.
 */
export async function archivingFolder(t: Pick<TestContext, 'after'>): Promise<string> {
  const folder = await clusterFolder(t)
  await appendFile(join(folder, 'postgres', 'postgresql.auto.conf'), `archive_library = 'basic_archive'\n`)
  return folder
}

/** Polls until something holds. The longer it takes, the rarer are the looks: a slow machine does the work instead. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const begun = Date.now()
  for (let passed = 0; passed < patienceMs; passed = Date.now() - begun) {
    if (await holds()) return
    await delay(Math.min(5 + passed / 8, 250))
  }
  throw new Error(`Waited in vain: ${what}.`)
}
