// A fair queue: each company has a line of its own and the lines take turns, so that no company waits behind the five hundred items of another.

import { NEWCOMERS } from '../core/limits.ts'

/** Items waiting in lines. Pushing and taking cost the same however many wait. */
export interface FairQueue<Item> {
  readonly size: number
  /**
   * Adds an item at the end of a line. False when there is no space. A line may grow as long as the space that is left
   * for all: of 64 places the first line gets 32, the second 16, and so on. As the lines are served and refilled they
   * even out, so that one alone keeps half of the places, two a third each, and n of them 1/(n + 1). The first item of
   * a line is accepted even when the queue is full, up to the number of newcomers.
   */
  push(line: string, item: Item): boolean
  /**
   * Takes the first item of the next line; undefined when none waits. Lines whose first item `mayGo` refuses keep their
   * turn, and the next line goes first.
   */
  take(mayGo?: (item: Item) => boolean): Item | undefined
  /** Items waiting in a line. */
  lengthOf(line: string): number
}

/** Makes a queue of this many items, plus the first items of this many newcomers. */
export function fairQueue<Item>(capacity: number, newcomers = NEWCOMERS): FairQueue<Item> {
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
      const mayGrow = length < capacity - size || (length === 0 && size < capacity + newcomers)
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

/** First in, first out, as a linked list: taking the first of an array moves all the others. */
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
