// Turns termination signals into one graceful shutdown, limited in time.
import { constants } from 'node:os'

/** Milliseconds from SIGTERM to the end of the process, whatever still blocks it. */
const STOP_MS = 9_000

/** Whether the process was asked to stop, and a promise for that moment. */
interface StopSignal {
  readonly signal: AbortSignal
  readonly requested: Promise<void>
}

/** Ctrl-C often arrives twice, from the terminal and from npm: a second one within this time is the same one. */
const echoMs = 1_000

/**
 * Listens for SIGINT, SIGTERM and SIGHUP. The first requests a graceful shutdown; a later one, or the end of STOP_MS,
 * ends the process.
 */
export function stopSignal(): StopSignal {
  const stopping = new AbortController()
  const requested = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()))
  let first = 0
  const ask = (name: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => {
    if (first === 0) {
      first = Date.now()
      // Everything that was answered is on disk; what still runs, such as a checkpoint, ends by itself.
      setTimeout(() => process.exit(0), STOP_MS).unref()
      stopping.abort()
    } else if (Date.now() - first > echoMs) process.exit(128 + constants.signals[name])
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => ask(name))
  // The shell between npx and us passes no signal on: its end is all that we see.
  if (process.env.npm_lifecycle_event === 'npx' || process.env.CASHWRAP_FOLLOWS_PARENT) {
    const parent = process.ppid
    const watching = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(watching)
      ask('SIGTERM')
    }, 250).unref()
  }
  return { signal: stopping.signal, requested }
}
