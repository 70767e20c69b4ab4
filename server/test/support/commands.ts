// Commands of `cashwrap` for tests of what they do and print: they run in a few processes that all files of a test process share.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Answered, Asked } from './command-process.ts'

const program = fileURLToPath(new URL('command-process.ts', import.meta.url))

/** Processes without a command; they end with this one. */
const idle: ChildProcess[] = []

/**
 * Runs a command to its end in a process that may have run others. It has no standard input. Rejects if the process
 * ends, as it does if the command takes longer than `limitMs`.
 */
export async function runCommand(asked: Asked, limitMs: number): Promise<Answered> {
  const child = idle.pop() ?? fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  refer(child, true)
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
  const ended = new AbortController()
  const died = once(child, 'exit', { signal: ended.signal }).then(([code, signal]) => {
    throw new Error(`The process of cashwrap ${asked.args.join(' ')} ended with ${code ?? signal}.`)
  })
  const answered = once(child, 'message', { signal: ended.signal })
  try {
    child.send(asked)
    const [answer] = await Promise.race([answered, died])
    refer(child, false)
    idle.push(child)
    return answer
  } finally {
    clearTimeout(timer)
    ended.abort()
    for (const each of [died, answered]) each.catch(() => {})
  }
}

/** Whether this process stays for the sake of a process of commands. */
function refer(child: ChildProcess, isReferred: boolean): void {
  for (const handle of [child, child.channel]) isReferred ? handle?.ref() : handle?.unref()
}
