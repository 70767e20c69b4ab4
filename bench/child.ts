// Separate processes for the service and for its limits, so that no two of them share an event loop.
import { type ChildProcess, fork } from 'node:child_process'

export interface Child {
  readonly pid: number | undefined
  /** Sends a message and waits for the answer to it; one at a time. */
  ask<Reply>(message: unknown): Promise<Reply>
  /** Ends the process and waits until it has. */
  stop(): Promise<void>
}

/** Starts a file of this folder, or another one by its URL. */
export function startChild(file: string, flags: string[] = []): Child {
  const child: ChildProcess = fork(new URL(file, import.meta.url).pathname, {
    execArgv: [...process.execArgv, ...flags],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    pid: child.pid,
    ask: (message) =>
      new Promise((resolve, reject) => {
        const gone = () => reject(new Error(`${file} ended before it answered.`))
        child.once('exit', gone)
        child.once('message', (reply: any) => {
          child.off('exit', gone)
          if (reply?.failed) reject(new Error(`${file}: ${reply.failed}`))
          else resolve(reply)
        })
        child.send(message as object)
      }),
    stop: async () => {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

/** In a child: answers each message by `answer`. Calls `end` when the parent is done or gone. */
export function serveParent(answer: (message: any) => Promise<unknown>, end: () => Promise<unknown>): void {
  // Ctrl-C reaches the whole group; the parent decides what stops when.
  process.on('SIGINT', () => {})
  process.on('message', (message) => {
    const reply = (content: object) => process.connected && process.send?.(content)
    answer(message).then(
      (content) => reply((content as object | undefined) ?? {}),
      (error) => reply({ failed: error.message }),
    )
  })
  process.on('disconnect', () => end().finally(() => process.exit(0)))
}
