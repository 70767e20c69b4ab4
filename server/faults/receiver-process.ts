// A separate process that receives webhooks for the fault suite, each receiver with its own behaviour, and records what arrives when.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Random, randomOf } from './random.ts'

/** How a receiver treats a call; `dead` is no receiver at all. */
export type Manner = 'good' | 'slow' | 'failing' | 'hanging' | 'dead'

/** The options at the start, as JSON in the first argument. */
export interface Order {
  readonly manners: readonly Manner[]
  readonly seed: number
  /** Whether failing receivers fail half of all calls. Otherwise they fail only the first call of an event. */
  readonly failsAgain: boolean
}

/** A call: the event, its time (milliseconds since 1970), and whether it was accepted. */
export type Receipt = readonly [eventId: string, at: number, isTaken: boolean]

/** Messages of the process: the addresses of its receivers, then replies. `counts` are of accepted events. */
export type Said = { readonly ports: number[] } | { readonly counts: number[] } | { readonly receipts: Receipt[][] }
/** Requests to it; `mend` has no reply: failing receivers fail no more. */
export type Question = 'counts' | 'receipts' | 'mend'

interface Receiver {
  readonly receipts: Receipt[]
  readonly taken: Set<string>
  readonly port: number
}

let isMended = false

async function receiver(manner: Manner, failsAgain: boolean, random: Random): Promise<Receiver> {
  const receipts: Receipt[] = []
  const met = new Set<string>()
  const taken = new Set<string>()

  async function answer(id: string, response: ServerResponse): Promise<void> {
    const isFirst = !met.has(id)
    met.add(id)
    const mayFail = manner === 'failing' && !isMended && (failsAgain || isFirst)
    const isTaken = manner !== 'hanging' && !(mayFail && random.chance(0.5))
    receipts.push([id, Date.now(), isTaken])
    if (isTaken) taken.add(id)
    if (manner === 'hanging') return
    if (manner === 'slow') await delay(100 + random.below(400))
    response.writeHead(isTaken ? 200 : 500).end()
  }

  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => answer(String(request.headers['webhook-id']), response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { receipts, taken, port: (server.address() as AddressInfo).port }
}

const { manners, seed, failsAgain }: Order = JSON.parse(process.argv[2] as string)
const receivers: Receiver[] = []
for (const [n, manner] of manners.entries())
  receivers.push(await receiver(manner, failsAgain, randomOf(seed, `receiver ${n}`)))
const say = (said: Said) => process.send?.(said)
process.on('message', (question: Question) => {
  if (question === 'mend') isMended = true
  else if (question === 'counts') say({ counts: receivers.map(({ taken }) => taken.size) })
  else say({ receipts: receivers.map(({ receipts }) => receipts) })
})
// Its parent has ended, in whatever way.
process.on('disconnect', () => process.exit())
say({ ports: receivers.map(({ port }) => port) })
