// Makes spans by OpenTelemetry's API and sends them by OTLP over HTTP. Loaded only where OTEL_EXPORTER_OTLP_ENDPOINT is set.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  DiagLogLevel,
  diag,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { TraceContext } from '../core/trace-context.ts'
import type { OpenSpan, SpanStart, Tracer } from './tracer.ts'

/** Milliseconds between two exports, and those that the last export may take when the service ends. */
const SEND_MS = 1_000
const LAST_MS = 2_000
/** Milliseconds between two reports of failures, and characters of one. */
const REPORT_MS = 60_000
const REASON_CHARACTERS = 500
/** Spans that wait to be sent; more are dropped, so that memory stays bounded while a collector is down. */
const WAITING_SPANS = 20_000

/** What is sent of this process, and how much. */
interface TraceSettings {
  /** OTEL_SERVICE_NAME. */
  readonly serviceName: string
  readonly version: string
  /** OTEL_TRACES_SAMPLER_ARG: the part of the traces that is recorded. */
  readonly ratio: number
  readonly worker?: number | undefined
  /** Called with the reason when spans cannot be sent; not more than once a minute. */
  readonly failed: (reason: string) => void
}

/** Opens the exporter. Its target, headers and deadline come from OTEL_EXPORTER_OTLP_… */
export function openTracer({ serviceName, version, ratio, worker, failed }: TraceSettings): Tracer {
  reportFailures(failed)
  const sampled = new TraceIdRatioBasedSampler(ratio)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': version,
      'process.pid': process.pid,
      ...(worker !== undefined && { 'service.instance.id': String(worker) }),
    }),
    // Samples even traces that callers record: otherwise any client could have all its requests recorded.
    sampler: new ParentBasedSampler({ root: sampled, remoteParentSampled: sampled }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        scheduledDelayMillis: SEND_MS,
        maxQueueSize: WAITING_SPANS,
      }),
    ],
  })
  return new ExportingTracer(provider)
}

/** OpenTelemetry reports its own failures, such as a collector that is down, for each batch of spans. */
function reportFailures(failed: (reason: string) => void): void {
  let next = 0
  const ignore = () => {}
  const error = (...parts: unknown[]) => {
    if (performance.now() < next) return
    next = performance.now() + REPORT_MS
    failed(parts.map(reasonOfPart).join(' ').slice(0, REASON_CHARACTERS))
  }
  diag.setLogger({ error, warn: ignore, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.ERROR)
}

/** An error reaches the logger as JSON with its stack: its message and code say enough. */
function reasonOfPart(part: unknown): string {
  try {
    const { message, code } = JSON.parse(String(part))
    return [message, code].filter((text) => text !== undefined).join(' ') || String(part)
  } catch {
    return String(part)
  }
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }

const spanContextOf = ({ traceId, spanId, flags }: TraceContext): SpanContext => ({
  traceId,
  spanId,
  traceFlags: flags,
  isRemote: true,
})

class ExportingTracer implements Tracer {
  readonly #provider: TracerProvider
  readonly #tracer: OtelTracer
  readonly #running = new AsyncLocalStorage<TraceContext | undefined>()

  constructor(provider: TracerProvider) {
    this.#provider = provider
    this.#tracer = provider.getTracer('cashwrap')
  }

  begin({ name, kind, parent, links = [], attributes = {}, since }: SpanStart): OpenSpan {
    const within = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContextOf(parent))
    const span = this.#tracer.startSpan(
      name,
      {
        kind: kinds[kind],
        attributes,
        links: links.map((context) => ({ context: spanContextOf(context) })),
        ...(since !== undefined && { startTime: since }),
      },
      within,
    )
    const { traceId, spanId, traceFlags } = span.spanContext()
    return {
      context: { traceId, spanId, flags: traceFlags },
      end(outcome = {}) {
        if (outcome.name !== undefined) span.updateName(outcome.name)
        if (outcome.attributes) span.setAttributes(outcome.attributes)
        if (outcome.error !== undefined) {
          span.setAttribute('error.type', outcome.error)
          span.setStatus({ code: SpanStatusCode.ERROR })
        }
        span.end()
      },
    }
  }

  within<T>(context: TraceContext | undefined, work: () => T): T {
    return this.#running.run(context, work)
  }

  current(): TraceContext | undefined {
    return this.#running.getStore()
  }

  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LAST_MS)
    })
    await Promise.race([this.#provider.shutdown().catch(() => {}), late])
    clearTimeout(timer)
  }
}
