// The log of the service: JSON lines on standard error, pretty on a terminal; it contains no key, no body and no data
// of a company.
import { writeSync } from 'node:fs'
import pino, { type Logger, type LoggerOptions } from 'pino'

/** Bytes of the log that wait for a full disk or a slow reader; further lines are lost. */
const LOG_WAITING_BYTES = 1024 * 1024

const keyValues = /pos[ko]_[0-9A-Za-z]{36}/g

/**
 * Opens the log; each line of a worker process has its number. What still waits to be written when the process ends is
 * written then.
 */
export async function createLog(level: string, worker?: number): Promise<Logger> {
  const settings: LoggerOptions = {
    level,
    base: worker === undefined ? null : { worker },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describe },
    // The last step before a line is written, wherever a key is in it.
    hooks: { streamWrite: (line: string) => line.replaceAll(keyValues, '(key)') },
  }
  if (process.stderr.isTTY) {
    const { default: pretty } = await import('pino-pretty')
    const terminal = pretty({ destination: 2, sync: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' })
    return pino(settings, terminal)
  }
  return pino(settings, standardError())
}

/** Writes whole lines of a worker's log into this one: with a single writer, no line breaks into another. */
export function appendLines(log: Logger, lines: string): void {
  ;(log as unknown as Record<symbol, pino.DestinationStream>)[pino.symbols.streamSym]?.write(lines)
}

/**
 * Standard error, written asynchronously. What cannot be written, because the disk is full or the reader has closed,
 * waits for the next line, up to a limit; otherwise it would end the process, or keep it from ending.
 */
function standardError(): pino.DestinationStream {
  const destination = pino.destination({ dest: 2, sync: false, maxLength: LOG_WAITING_BYTES })
  const flushSync = destination.flushSync.bind(destination)
  let isStuck = false
  destination.removeAllListeners('error')
  destination.on('error', () => {
    isStuck = true
  })
  destination.on('write', () => {
    isStuck = false
  })
  // At the end of the process it would retry forever.
  destination.flushSync = () => {
    if (!isStuck && hasReader()) flushSync()
  }
  return destination
}

/** Whether the primary still reads this worker's log: to write nothing fails on a socket that is closed at the other end. */
function hasReader(): boolean {
  try {
    writeSync(2, '')
    return true
  } catch {
    return false
  }
}

/**
 * The logged part of an error. PostgreSQL quotes data in messages about a row, and JSON.parse in messages about a text;
 * the code says enough.
 */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, code, cause } = error as NodeJS.ErrnoException
  const mayQuote = error instanceof SyntaxError || /^(22|23)...$/.test(code ?? '')
  // An expected problem has no stack.
  const lines = stack?.replace(mayQuote ? `${name}: ${message}` : message, '').replace(/^.*(\n|$)/, '')
  return {
    type: name,
    ...(code && { code }),
    message: mayQuote ? '(left out: it may quote data)' : message,
    ...(lines && { stack: lines }),
    ...(cause !== undefined && { cause: describe(cause) }),
  }
}
