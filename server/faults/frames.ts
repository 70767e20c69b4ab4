// Splits a stream of PostgreSQL's protocol, version 3, into its messages, so that a proxy knows what passes.

/** A message: its letter, and what follows its length. The first one of a client has no letter. */
export interface Message {
  readonly letter: string
  readonly content: Buffer
}

/** Returns a function that accepts bytes as they arrive and returns the messages that they complete. */
export function frames(hasStart: boolean): (bytes: Buffer) => Message[] {
  let rest = Buffer.alloc(0)
  let isStart = hasStart
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    const messages: Message[] = []
    for (;;) {
      const head = isStart ? 0 : 1
      if (rest.length < head + 4) return messages
      const end = head + rest.readInt32BE(head)
      if (rest.length < end) return messages
      messages.push({
        letter: isStart ? '' : String.fromCharCode(rest[0] as number),
        content: rest.subarray(head + 4, end),
      })
      rest = rest.subarray(end)
      isStart = false
    }
  }
}
