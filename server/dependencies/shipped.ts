// The packages that reach the people who run or open Cashwrap: those of the service, and those that are built into the console's pages.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** An entry of package-lock.json, as far as it is read here. */
interface Locked {
  /** Only where it is installed under another name. */
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly dev?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

export interface Shipped {
  readonly name: string
  readonly version: string
  /** An SPDX expression; empty if the package names none. */
  readonly license: string
  /** What it is part of. */
  readonly of: 'service' | 'console'
}

/** What is shipped, as a lock file says, by name and version. */
export function shippedPackages(lockFile = join(root, 'package-lock.json')): Shipped[] {
  const locked: Readonly<Record<string, Locked>> = JSON.parse(readFileSync(lockFile, 'utf8')).packages
  // `dev` marks what only development needs, and the console's libraries.
  const service = Object.keys(locked).filter((path) => path !== '' && !locked[path]?.dev)
  const shipped = new Map<string, Shipped>()
  for (const [of, paths] of [['console', builtIn(locked)] as const, ['service', service] as const])
    for (const path of paths) {
      const folder = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      const { name = folder, version = '', license = '' } = locked[path] ?? {}
      shipped.set(`${name}@${version}`, { name, version, license, of })
    }
  return [...shipped.values()].sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1))
}

/** Paths of the packages that the console's code imports, and of all that those need. */
function builtIn(locked: Readonly<Record<string, Locked>>): string[] {
  const files = globSync('console/src/**/*.{ts,tsx}', { cwd: root })
  const imports = files.flatMap((file) =>
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(/\b(?:from |import |import\()'((?:@[\w-]+\/)?[\w-][\w.-]*)/g),
    ].map(([, name = '']) => name),
  )
  const found = new Set<string>()
  const open = [...new Set(imports)].map((name) => ({ name, from: '' }))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const path = installedFor(next, locked)
    if (path === undefined || found.has(path)) continue
    found.add(path)
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = locked[path] ?? {}
    const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
    for (const name of [...Object.keys(dependencies), ...peers]) open.push({ name, from: path })
  }
  return [...found]
}

/** Where Node finds a package for an importer: in its own folder, or in one above; undefined for what is not a package. */
function installedFor({ name, from }: { name: string; from: string }, locked: Readonly<Record<string, Locked>>) {
  for (let folder = from; ; folder = dirname(folder) === '.' ? '' : dirname(folder)) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (path in locked) return path
    if (folder === '') return undefined
  }
}
