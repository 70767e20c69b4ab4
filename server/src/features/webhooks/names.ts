// Names to addresses without the threads of the process, since a name server that never answers must not hold up other receivers.
import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { SYSTEM_LOOKUPS } from '../../core/limits.ts'

/** The addresses of a name, in lower case, all of them. Rejects with an error of node:dns. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** Whether the operating system is asked for what nobody else knows; and the hosts file, where not that of the machine. */
interface NameSettings {
  readonly asksSystem?: boolean
  readonly hosts?: string
}

/** The hosts file's word, else the name servers', in some three seconds at most, else, where it is asked, the operating system's: that has search domains too. */
export function resolver({ asksSystem = false, hosts = '/etc/hosts' }: NameSettings = {}): Resolve {
  return async (name) => {
    const inHosts = await hostsEntries(hosts, name)
    if (inHosts.length > 0) return inHosts
    try {
      return await nameServers(name)
    } catch (error) {
      // Who did not answer us would not answer the system either, and would hold one of its threads.
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

/** Some at once: each takes one of the few threads of the process. */
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
