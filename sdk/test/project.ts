// A project of a newcomer: the packed SDK, installed into an empty folder, and how programs run there.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a program; fails with what it printed. */
export async function run(cwd: string, program: string, args: readonly string[], env: Record<string, string> = {}) {
  // npm hands settings of the outer project to what it runs.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
  const ran = promisify(execFile)(program, args, { cwd, env: { ...Object.fromEntries(own), ...env } })
  const { stdout } = await ran.catch(({ stdout, stderr }) =>
    assert.fail(`${program} ${args.join(' ')}\n${stdout}${stderr}`),
  )
  return stdout
}

/** An empty project with the packed SDK. */
export async function project(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cashwrap-sdk-'))
  await run(join(root, 'sdk'), 'npm', ['pack', '--pack-destination', folder])
  const [archive = ''] = await readdir(folder)
  await writeFile(join(folder, 'package.json'), '{ "name": "till", "type": "module", "private": true }')
  await run(folder, 'npm', ['install', '--offline', '--no-audit', '--no-fund', `./${archive}`])
  return folder
}

/** Type-checks files of a project as strictly as it can be, declarations of the SDK included. */
export const check = (folder: string, ...files: string[]) =>
  run(folder, process.execPath, [
    join(root, 'node_modules/@typescript/native/bin/tsc'),
    ...['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--allowJs', '--checkJs'],
    ...['--noImplicitAny', 'false', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2024,dom,dom.iterable'],
    ...['--types', 'node', '--typeRoots', join(root, 'node_modules/@types'), ...files],
  ])
