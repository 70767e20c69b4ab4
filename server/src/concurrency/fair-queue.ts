// What waits, in a fair order: each company stands in a line of its own and the lines are served in turn, so that nobody waits behind another's five hundred.

import { NEWCOMERS } from '../core/limits.ts'

/** Items waiting in lines. Pushing and taking cost the same however many wait. */
export interface FairQueue<Item> {
  readonly size: number
  /**
   * Puts an item at the end of a line. False when there is no room. A line may grow as long as the room that is left for
   * all: of room for 64 the first to come gets 32, the second 16, and so on. As the lines are served and filled again
   * they even out, so that one alone keeps half of the room, two a third each, and n of them 1/(n + 1). The first item of
   * a line is taken when there is no room left too, until the queue holds so many more as there may be newcomers.
   */
  push(line: string, item: Item): boolean
  /**
   * Takes the first item of the line whose turn it is; undefined when none waits. Lines whose first item `mayGo` refuses keep
   * their turn: the next line goes ahead of them.
   */
  take(mayGo?: (item: Item) => boolean): Item | undefined
  /** Items that wait in a line. */
  lengthOf(line: string): number
}

/** Makes a queue with room for so many items in all, and besides for the first items of so many newcomers. */
export function fairQueue<Item>(room: number, newcomers = NEWCOMERS): FairQueue<Item> {
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
      const length = line?.length ?? 0
      const mayGrow = length < room - size || (length === 0 && size < room + newcomers)
      if (!mayGrow) return false
      if (line === undefined) {
        line = fifo()
        lines.set(name, line)
        turns.push(name)
      }
      line.push(item)
      size++
      return true
    },
    lengthOf: (name) => lines.get(name)?.length ?? 0,
    take(mayGo) {
      const name = turns.shift(mayGo && ((name) => mayGo(lines.get(name)?.first as Item)))
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
  readonly first: Value | undefined
  push(value: Value): void
  /** Takes the first value, or the first one that `isWanted`. */
  shift(isWanted?: (value: Value) => boolean): Value | undefined
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
    get first() {
      return first?.value
    },
    push(value) {
      const link: Link = { value, next: undefined }
      if (last === undefined) first = link
      else last.next = link
      last = link
      length++
    },
    shift(isWanted) {
      let before: Link | undefined
      let link = first
      while (link !== undefined && isWanted?.(link.value) === false) {
        before = link
        link = link.next
      }
      if (link === undefined) return undefined
      if (before === undefined) first = link.next
      else before.next = link.next
      if (link === last) last = before
      length--
      return link.value
    },
  }
}
