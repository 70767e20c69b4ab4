// Spans of what the service does, made by hand. Without an exporter there is no tracer, and nothing is made or measured.
import type { TraceContext } from '../core/trace-context.ts'

type Attributes = Readonly<Record<string, string | number>>

/** A span that begins. */
export interface SpanStart {
  readonly name: string
  /** `server`: an incoming request; `client`: an outgoing one; `internal`: neither. */
  readonly kind: 'server' | 'client' | 'internal'
  /** Without it a trace begins. */
  readonly parent?: TraceContext | undefined
  /** Other places that it belongs to. */
  readonly links?: readonly TraceContext[]
  readonly attributes?: Attributes
  /** When it began, in milliseconds since 1970, if not now. */
  readonly since?: number
}

/** A span that has begun. */
export interface OpenSpan {
  readonly context: TraceContext
  /** Ends it; `name` replaces the one that it began with, and `error` says that it failed. */
  end(outcome?: { readonly name?: string; readonly attributes?: Attributes; readonly error?: string | undefined }): void
}

/** Makes spans, and knows to which one the running code belongs. */
export interface Tracer {
  begin(start: SpanStart): OpenSpan
  /** Runs `work`, and all that it starts, as a part of this span. */
  within<T>(context: TraceContext | undefined, work: () => T): T
  /** The span that the running code is a part of. */
  current(): TraceContext | undefined
  /** Sends what is not sent yet, for a moment. */
  close(): Promise<void>
}

/** The tracer of this process, if traces are on. */
export const tracing: { tracer: Tracer | undefined } = { tracer: undefined }

/** Whether somebody records a trace. */
const isSampled = ({ flags }: TraceContext): boolean => (flags & 1) === 1

/**
 * Runs `work` as a part of a span, or of none, even if the calling code is a part of another span. A trace that is not
 * recorded gets no parts, since nobody would see them.
 */
export const inTrace = <T>(context: TraceContext | undefined, work: () => T): T =>
  tracing.tracer === undefined
    ? work()
    : tracing.tracer.within(context !== undefined && isSampled(context) ? context : undefined, work)

/** Something that waits, and since when. */
interface WaitingSince {
  readonly trace: TraceContext | undefined
  readonly since: number
}

/**
 * Begins the span of a batch, and shows for each of its requests how long it waited. The batch of one request is a part of
 * its trace; that of several is a trace of its own, with links from and to each. Undefined if nobody records any of them.
 */
export function beginBatch(items: readonly WaitingSince[]): OpenSpan | undefined {
  const { tracer } = tracing
  if (tracer === undefined) return undefined
  const traced = items.flatMap(({ trace, since }) => (trace && isSampled(trace) ? { trace, since } : []))
  const [first] = traced
  if (first === undefined) return undefined
  const belongs = items.length === 1 ? { parent: first.trace } : { links: traced.map(({ trace }) => trace) }
  const batch = tracer.begin({
    name: 'batch',
    kind: 'internal',
    ...belongs,
    attributes: { 'cashwrap.batch.items': items.length },
  })
  for (const { trace, since } of traced)
    tracer.begin({ name: 'wait batch', kind: 'internal', parent: trace, links: [batch.context], since }).end()
  return batch
}

/** Since when something waits, where that is measured. */
export const waitingSince = (): number => (tracing.tracer === undefined ? 0 : Date.now())

/**
 * Wraps work that has to wait for its turn: it runs as a part of the span in which it was created, whatever starts it,
 * and a span shows how long it waited.
 */
export function afterWait<T>(name: string, work: () => T): () => T {
  const { tracer } = tracing
  if (tracer === undefined) return work
  const own = tracer.current()
  const since = Date.now()
  return () => {
    if (own !== undefined) tracer.begin({ name: `wait ${name}`, kind: 'internal', parent: own, since }).end()
    return tracer.within(own, work)
  }
}

/** Begins the span of a statement, if the running code is a part of one. */
export function beginStatement(name: string | undefined, text: string): OpenSpan | undefined {
  const { tracer } = tracing
  const parent = tracer?.current()
  if (tracer === undefined || parent === undefined) return undefined
  // The span never has the values, and only the verb of the text: the verb is the same for all statements with the
  // name.
  const operation = /^\s*(\w+)/.exec(text)?.[1] ?? ''
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    'db.query.summary': name ?? operation,
  }
  return tracer.begin({ name: name ?? operation, kind: 'client', parent, attributes })
}
