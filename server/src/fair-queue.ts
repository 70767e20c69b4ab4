// What waits, in a fair order: each company stands in a line of its own and the lines are served in turn, so that nobody waits behind another's five hundred.

/** Items waiting in lines. Pushing and taking cost the same however many wait. */
export interface FairQueue<Item> {
  readonly size: number
  /**
   * Puts an item at the end of a line. False when there is no room: a line may grow as long as the room that is left for
   * all, so that one alone gets half of it, two get a third each, and a newcomer always finds some.
   */
  push(line: string, item: Item): boolean
  /** Takes the first item of the line whose turn it is; undefined when none waits. */
  take(): Item | undefined
}

/** Makes a queue with room for so many items in all. */
export function fairQueue<Item>(room: number): FairQueue<Item> {
  const lines = new Map<string, Fifo<Item>>()
  // The lines that hold items, each once, in the order of their turns.
  const turns = fifo<string>()
  let size = 0

  return {
    get size() {
      return size
    },
    push(name, item) {
      let line = lines.get(name)
      if ((line?.length ?? 0) >= room - size) return false
      if (line === undefined) {
        line = fifo()
        lines.set(name, line)
        turns.push(name)
      }
      line.push(item)
      size++
      return true
    },
    take() {
      const name = turns.shift()
      const line = name === undefined ? undefined : lines.get(name)
      if (name === undefined || line === undefined) return undefined
      const item = line.shift()
      if (line.length > 0) turns.push(name)
      else lines.delete(name)
      size--
      return item
    },
  }
}

interface Fifo<Value> {
  readonly length: number
  push(value: Value): void
  shift(): Value | undefined
}

/** First in, first out, by links: taking the first of an array moves all the others. */
function fifo<Value>(): Fifo<Value> {
  type Link = { readonly value: Value; next: Link | undefined }
  let first: Link | undefined
  let last: Link | undefined
  let length = 0
  return {
    get length() {
      return length
    },
    push(value) {
      const link: Link = { value, next: undefined }
      if (last === undefined) first = link
      else last.next = link
      last = link
      length++
    },
    shift() {
      if (first === undefined) return undefined
      const { value, next } = first
      first = next
      if (next === undefined) last = undefined
      length--
      return value
    },
  }
}
