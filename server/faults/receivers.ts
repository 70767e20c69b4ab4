// Receivers of webhooks in a separate process, so that their work costs the servers and this program no time.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Ending } from './ending.ts'
import type { Order, Question, Receipt, Said } from './receiver-process.ts'

export interface Receivers {
  /** The address of each, in the order of their behaviours. */
  readonly urls: readonly string[]
  /** The number of events that each has accepted. Make one request at a time. */
  counts(): Promise<number[]>
  /** All calls to each, in their order. */
  receipts(): Promise<Receipt[][]>
  /** From now on failing receivers accept all. */
  mend(): void
  /** Stops them, and with them the calls that hang. */
  close(): Promise<void>
}

const program = fileURLToPath(new URL('receiver-process.ts', import.meta.url))
/** Servers listen on 127.0.0.1 alone, so this address never answers. */
const nowhere = 'http://127.0.0.9:9/hook'

export async function startReceivers(ending: Ending, order: Order): Promise<Receivers> {
  const child = fork(program, [JSON.stringify(order)])
  const closed = once(child, 'close')
  async function close(): Promise<void> {
    child.kill('SIGKILL')
    await closed
  }
  ending.after(close)
  const died = closed.then(() => Promise.reject(new Error('The process of the receivers has ended.')))
  died.catch(() => {})
  const said = (): Promise<Said> => Promise.race([once(child, 'message').then(([message]) => message as Said), died])
  function asked(question: Question): Promise<Said> {
    child.send(question)
    return said()
  }
  const { ports } = (await said()) as Extract<Said, { ports: number[] }>
  return {
    urls: ports.map((port, n) => (order.manners[n] === 'dead' ? nowhere : `http://127.0.0.1:${port}/hook`)),
    counts: async () => ((await asked('counts')) as Extract<Said, { counts: number[] }>).counts,
    receipts: async () => ((await asked('receipts')) as Extract<Said, { receipts: Receipt[][] }>).receipts,
    mend: () => {
      child.send('mend' satisfies Question)
    },
    close,
  }
}
