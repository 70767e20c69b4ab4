// The place of a call in a trace, as its caller sends it and as it is passed on (W3C Trace Context, level 1).

/** A place in a trace. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** Of the span that is the parent of what follows: 16 hexadecimal digits. */
  readonly spanId: string
  /** Bit 0: whether the trace is recorded. */
  readonly flags: number
}

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/**
 * Reads a header `traceparent`. Undefined if it is missing or malformed, which is no error: the trace then begins here.
 */
export function readTraceparent(header: unknown): TraceContext | undefined {
  if (typeof header !== 'string') return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = pattern.exec(header) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  // Level 1 knows one flag; others are not passed on.
  return { traceId, spanId, flags: Number.parseInt(flags, 16) & 1 }
}

/** The header that passes a place on. */
export const traceparentOf = ({ traceId, spanId, flags }: TraceContext): string =>
  `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`
