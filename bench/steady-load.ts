// A steady load: a fixed number of reads per second, whether or not the earlier ones have been answered.
import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

const agent = new Agent({ keepAlive: true })

/** Sends a read, and waits for its response. */
const read = (url: string, apiKey: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = get(url, { agent, headers: { 'x-api-key': apiKey } }, (answer) => answer.resume().on('end', resolve))
    sent.on('error', reject)
  })

interface Steady {
  /** Reads a second. */
  readonly rate: number
  readonly seconds: number
  readonly apiKey: string
  /** Customers that are read in turn. */
  readonly ids: readonly string[]
}

/** Sends the reads, and resolves when all are answered. */
export async function readSteadily(url: string, { rate, seconds, apiKey, ids }: Steady): Promise<void> {
  const sent: Promise<void>[] = []
  const begun = performance.now()
  for (let pastMs = 0; pastMs < seconds * 1_000; pastMs = performance.now() - begun) {
    while (sent.length < (pastMs * rate) / 1_000)
      sent.push(read(`${url}/v1/customer/${ids[sent.length % ids.length]}`, apiKey))
    await delay(5)
  }
  await Promise.all(sent)
}
