// Installs each service into a folder of its own outside of the repository, with the versions that its `package.json` pins.
import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Place, Rival } from './rival.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const checkout = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
const longestMs = 15 * 60_000
/** npm, and what it runs, use the Node of the run. */
const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`

/** Runs a program of a service to its end, and says in an error what it printed. */
async function runIn(folder: string, program: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const options = { cwd: folder, env: { ...process.env, PATH: path, ...env }, timeout: longestMs, maxBuffer: 2 ** 28 }
  const { stdout } = await run(program, args, options).catch((error) => {
    const lines = `${error.stdout}\n${error.stderr}`.trim().split('\n')
    const why = lines.filter((line) => /error/i.test(line))
    throw new Error(
      `${basename(program)} ${args[0]} failed: ${(why.length > 0 ? why : lines).slice(0, 4).join(' ').slice(0, 600)}`,
    )
  })
  return stdout
}

/** Runs a program of a service with the Node of the run, as in production. */
export const nodeIn =
  (folder: string): Place['node'] =>
  (args, env = {}) =>
    runIn(folder, process.execPath, args, { NODE_ENV: 'production', ...env })

/** Installs a service, unless the same versions are installed there already. */
export async function install({ files = [], npmFlags = [], build }: Rival, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const file of files) await copyFile(join(here, file), join(folder, basename(file)))
  if (files.length === 0) return
  await npm(folder, ['install', '--omit=dev', '--no-audit', '--no-fund', ...npmFlags])
  await build?.({ node: nodeIn(folder) })
}

/** Installs what Cashwrap needs at run time, only to know its size. */
export async function installCashwrap(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) await copyFile(join(checkout, file), join(folder, file))
  await npm(folder, ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'])
}

/** Runs npm, unless it has run here for the same `package.json`. */
async function npm(folder: string, args: readonly string[]): Promise<void> {
  const wanted = await readFile(join(folder, 'package.json'), 'utf8')
  const stamp = join(folder, 'installed.json')
  if ((await readFile(stamp, 'utf8').catch(() => '')) === wanted) return
  await runIn(folder, 'npm', args, {})
  await writeFile(stamp, wanted)
}

/** Megabytes that files and folders use on the disk. */
export async function sizeOf(...paths: readonly string[]): Promise<number> {
  const { stdout } = await run('du', ['-skc', ...paths])
  return Number.parseInt(stdout.trim().split('\n').at(-1) ?? '', 10) / 1024
}

/** Megabytes of Cashwrap as installed, with the PostgreSQL and the Node that it includes. */
export const sizeOfCashwrap = (folder: string): Promise<number> =>
  sizeOf(
    join(folder, 'node_modules'),
    ...['server/bin', 'server/src', 'console/dist'].map((path) => join(checkout, path)),
  )

/** A line for each service with the versions that its `package.json` pins. */
export const pinnedBy = (rivals: readonly Rival[]): Promise<string[]> =>
  Promise.all(
    rivals.map(async ({ label, files = [] }) => {
      const file = files.find((path) => basename(path) === 'package.json') as string
      const { dependencies, overrides = {} } = JSON.parse(await readFile(join(here, file), 'utf8'))
      const versions = Object.entries({ ...dependencies, ...overrides }).map(([name, version]) => `${name} ${version}`)
      return `${label}: ${versions.join(', ')}`
    }),
  )
