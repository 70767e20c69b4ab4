// Names to addresses without the threads of the process, since a name server that never answers must not hold up other receivers.
import { lookup, Resolver } from 'node:dns/promises'
import { SYSTEM_LOOKUPS } from '../../limits.ts'

/** The addresses of a name, all of them. Rejects with an error of node:dns. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** The name servers' word, in some three seconds at most. */
export const askNameServers: Resolve = async (name) => {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (found.length > 0) return found
  throw (four as PromiseRejectedResult).reason
}

/**
 * The same, and for a name that they do not know the operating system's: the hosts file, search domains and what else is
 * set up on this machine. Only names within an operator's own networks are found there, so only where he allows some.
 */
export function askSystemToo(): Resolve {
  const waiting: (() => void)[] = []
  let underWay = 0
  return async (name) => {
    try {
      return await askNameServers(name)
    } catch (error) {
      // Who did not answer us would not answer the system either, and would hold one of its threads.
      if ((error as NodeJS.ErrnoException).code === 'ETIMEOUT') throw error
    }
    while (underWay >= SYSTEM_LOOKUPS) await new Promise<void>((resolve) => waiting.push(resolve))
    underWay++
    try {
      const found = await lookup(name, { all: true })
      return found.map(({ address }) => address)
    } finally {
      underWay--
      waiting.shift()?.()
    }
  }
}
