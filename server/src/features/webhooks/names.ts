// Resolves names without the threads of the process, since a name server that never answers must not delay other
// receivers.
import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { SYSTEM_LOOKUPS } from '../../core/limits.ts'

/** All addresses of a name, in lower case. Rejects with an error of node:dns. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** Whether the operating system is asked for unknown names; and the hosts file, if not the machine's. */
interface NameSettings {
  readonly asksSystem?: boolean
  readonly hosts?: string
}

/**
 * Asks the hosts file, then the name servers, for about three seconds; then, if enabled, the operating system, which
 * also has search domains.
 */
export function resolver({ asksSystem = false, hosts = '/etc/hosts' }: NameSettings = {}): Resolve {
  return async (name) => {
    const inHosts = await hostsEntries(hosts, name)
    if (inHosts.length > 0) return inHosts
    try {
      return await nameServers(name)
    } catch (error) {
      // Name servers that did not answer us would not answer the system either, and would block a thread.
      if (!asksSystem || (error as NodeJS.ErrnoException).code === 'ETIMEOUT') throw error
      return await system(name)
    }
  }
}

async function hostsEntries(path: string, name: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    return names.some((other) => other.toLowerCase() === name) ? [address] : []
  })
}

async function nameServers(name: string): Promise<string[]> {
  const servers = new Resolver({ timeout: 1_000, tries: 2 })
  const [four, six] = await Promise.allSettled([servers.resolve4(name), servers.resolve6(name)])
  const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (found.length > 0) return found
  throw (four as PromiseRejectedResult).reason
}

const waiting: (() => void)[] = []
let underWay = 0

/** A few at once: each takes one of the few threads of the process. */
async function system(name: string): Promise<string[]> {
  while (underWay >= SYSTEM_LOOKUPS) await new Promise<void>((resolve) => waiting.push(resolve))
  underWay++
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address)
  } finally {
    underWay--
    waiting.shift()?.()
  }
}
