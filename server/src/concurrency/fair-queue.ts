// A fair queue: each company has a queue of its own and the queues take turns, so that no company waits behind the five hundred items of another.

import { NEWCOMERS } from '../core/limits.ts'
import type { Count } from '../metrics/instruments.ts'

/** Waiting items by tenant. Pushing and taking cost the same however many wait. */
export interface FairQueue<Item> {
  readonly size: number
  /**
   * Adds an item behind the others of its tenant. False when the queue is full. A tenant may have as many items as are
   * left for all: of 64 places the first tenant gets 32, the second 16, and so on. As items are taken and added, the
   * shares even out: one tenant alone keeps half of the places, two tenants a third each, and n tenants 1/(n + 1) each.
   * The first item of a tenant is accepted even when the queue is full, up to the number of newcomers.
   */
  push(tenant: string, item: Item): boolean
  /**
   * Takes the first item of the next tenant; undefined when none waits. Tenants whose first item `mayGo` refuses keep
   * their turn, and the next tenant goes first.
   */
  take(mayGo?: (item: Item) => boolean): Item | undefined
  /** Waiting items of a tenant. */
  lengthOf(tenant: string): number
}

/** Makes a queue of this many items, plus the first items of this many newcomers; counts its items in `waiting`. */
export function fairQueue<Item>(capacity: number, waiting: Count, newcomers = NEWCOMERS): FairQueue<Item> {
  const queues = new Map<string, Fifo<Item>>()
  // The tenants with waiting items, each once, in the order of their turns.
  const turns = new Fifo<string>()
  let size = 0

  return {
    get size() {
      return size
    },
    push(tenant, item) {
      let own = queues.get(tenant)
      const length = own?.length ?? 0
      const mayGrow = length < capacity - size || (length === 0 && size < capacity + newcomers)
      if (!mayGrow) return false
      if (own === undefined) {
        own = new Fifo()
        queues.set(tenant, own)
        turns.push(tenant)
      }
      own.push(item)
      size++
      waiting.value++
      return true
    },
    lengthOf: (tenant) => queues.get(tenant)?.length ?? 0,
    take(mayGo) {
      const tenant = turns.shift(mayGo && ((tenant) => mayGo(queues.get(tenant)?.first as Item)))
      const own = tenant === undefined ? undefined : queues.get(tenant)
      if (tenant === undefined || own === undefined) return undefined
      const item = own.shift()
      if (own.length > 0) turns.push(tenant)
      else queues.delete(tenant)
      size--
      waiting.value--
      return item
    },
  }
}

interface QueueLink<Value> {
  readonly value: Value
  next: QueueLink<Value> | undefined
}

/** First in, first out, as a linked list: taking the first of an array moves all the others. */
class Fifo<Value> {
  length = 0
  #first: QueueLink<Value> | undefined
  #last: QueueLink<Value> | undefined

  get first(): Value | undefined {
    return this.#first?.value
  }

  push(value: Value): void {
    const link: QueueLink<Value> = { value, next: undefined }
    if (this.#last === undefined) this.#first = link
    else this.#last.next = link
    this.#last = link
    this.length++
  }

  /** Takes the first value, or the first one that `isWanted`. */
  shift(isWanted?: (value: Value) => boolean): Value | undefined {
    let before: QueueLink<Value> | undefined
    let link = this.#first
    while (link !== undefined && isWanted?.(link.value) === false) {
      before = link
      link = link.next
    }
    if (link === undefined) return undefined
    if (before === undefined) this.#first = link.next
    else before.next = link.next
    if (link === this.#last) this.#last = before
    // A removed link that is old keeps all that follow it, until V8 collects old objects.
    link.next = undefined
    this.length--
    return link.value
  }
}
