// Small disks in memory, which can be filled to the last byte and freed again.
import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Ending } from './ending.ts'

const run = promisify(execFile)

export interface SmallDisk {
  readonly folder: string
  /** Takes all the space that is left. */
  fill(): Promise<void>
  free(): Promise<void>
}

/** Megabytes of each disk: a new database with its log, and some thousand writes. */
const sizes = { tables: 256, log: 96 }
type Name = keyof typeof sizes

/** Where `withMounts` has mounted the disks already. */
const mounted = process.env.CASHWRAP_FAULT_DISKS

const mount = (name: Name, folder: string) => [
  ...['-t', 'tmpfs', '-o', `size=${sizes[name]}m,mode=0755`],
  ...['cashwrap-faults', folder],
]

/** Thrown if no disk can be mounted. */
export class CannotMount extends Error {
  override name = 'CannotMount'
  /** Not even root can do it on this machine. */
  readonly isMachine: boolean

  constructor(isRoot: boolean, cause: Error & { stderr?: string }) {
    const how = isRoot ? 'root may not mount a tmpfs on this machine' : 'a tmpfs can be mounted here by root only'
    super(`${how} (${(cause.stderr || cause.message).split('\n', 1)[0]})`, { cause })
    this.isMachine = isRoot
  }
}

/** What `mount` says if it is not allowed or missing; anything else is a bug of ours. */
const refusals = /permission denied|operation not permitted|must be superuser|only root can|ENOENT/i

/** The disk with this name. Throws `CannotMount` if it cannot be mounted. */
export async function smallDisk(ending: Ending, parent: string, name: Name): Promise<SmallDisk> {
  const folder = join(mounted ?? parent, name)
  if (mounted === undefined) {
    await mkdir(folder)
    await run('mount', mount(name, folder), { env: { ...process.env, LC_ALL: 'C' } }).catch((error) => {
      throw refusals.test(error.message) ? new CannotMount(process.getuid?.() === 0, error) : error
    })
    // Detached at once: a process of PostgreSQL that has just been stopped may still be in its folder.
    ending.after(() => run('umount', ['--lazy', folder]))
  }
  const ballast = join(folder, 'ballast')
  return {
    folder,
    async fill() {
      const file = await open(ballast, 'w')
      // Large pieces first; the small ones fill the rest.
      for (const size of [1024 * 1024, 4096]) {
        const piece = Buffer.alloc(size, 1)
        let isFull = false
        while (!isFull)
          await file.write(piece).catch((error: NodeJS.ErrnoException) => {
            if (error.code !== 'ENOSPC') throw error
            isFull = true
          })
      }
      await file.close()
    },
    free: () => rm(ballast),
  }
}

/** Mounts both disks as root of a namespace. Continues as the original user, since PostgreSQL refuses root. */
const script = `
set -e
mount ${mount('tables', '"$1/tables"').join(' ')}
mount ${mount('log', '"$1/log"').join(' ')}
chmod 1777 "$1/tables" "$1/log"
user=$2 group=$3
shift 3
exec unshare --user --map-user="$user" --map-group="$group" -- "$@"
`

/**
 * For a user who may not mount: runs this program once more in a namespace where mounting is allowed, and returns its
 * exit code. Undefined for root, and if the kernel does not allow namespaces.
 */
export async function withMounts(): Promise<number | undefined> {
  const user = process.getuid?.()
  const group = process.getgid?.()
  if (user === 0 || mounted !== undefined) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'cashwrap-disks-'))
  try {
    for (const name of Object.keys(sizes)) await mkdir(join(folder, name))
    const shell = ['--user', '--map-root-user', '--mount', 'sh', '-c', script, 'sh', folder, `${user}`, `${group}`]
    const isAllowed = await run('unshare', [...shell, 'true']).then(
      () => true,
      () => false,
    )
    if (!isAllowed) return undefined
    const child = spawn('unshare', [...shell, process.execPath, ...process.argv.slice(1)], {
      stdio: 'inherit',
      env: { ...process.env, CASHWRAP_FAULT_DISKS: folder },
    })
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => child.kill(name))
    return await new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
