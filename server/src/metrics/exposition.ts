// The text that Prometheus reads: what the processes of a server counted, added up, with Node's own figures of each. Loaded only
// where metrics are on.
import { AggregatorRegistry, collectDefaultMetrics, type MetricObject, Registry } from 'prom-client'
import { countedFamilies, type Family } from './instruments.ts'

/** What one process counted, and how it is: memory, processor time, delays of its event loop. */
export interface ProcessFamilies {
  read(): Promise<Family[]>
}

/** prom-client's gauges of Node's open handles and requests: their names end like those of counters. */
const misnamed = 'nodejs_active_'
const delay = 'nodejs_eventloop_lag_'
/** prom-client omits it when it adds up processes. The server started with its first process. */
const begun = 'process_start_time_seconds'

/** Begins to observe this process. */
export function processFamilies(): ProcessFamilies {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const { name } of registry.getMetricsAsArray()) if (name.startsWith(misnamed)) registry.removeSingleMetric(name)
  return {
    read: async () => {
      const own = (await registry.getMetricsAsJSON()) as unknown as Family[]
      const combined = own.map((family) => ({ ...family, ...combination(family.name) }))
      return [...countedFamilies(), ...(combined as Family[])]
    },
  }
}

/** How a family of Node's metrics is combined, where this differs from prom-client. */
function combination(name: string): { aggregator?: 'max' | 'min' } {
  // Of several processes the most delayed one counts: an average would hide a blocked process.
  if (name.startsWith(delay)) return { aggregator: 'max' }
  return name === begun ? { aggregator: 'min' } : {}
}

/** The families of several processes as one: numbers are added, unless a family says otherwise. */
export async function addUp(processes: readonly (readonly Family[])[]): Promise<Family[]> {
  return (await registryOf(processes).getMetricsAsJSON()) as unknown as Family[]
}

/** The families of several processes as Prometheus reads them. */
export const expositionOf = (processes: readonly (readonly Family[])[]): Promise<string> =>
  registryOf(processes).metrics()

export const expositionType = Registry.PROMETHEUS_CONTENT_TYPE

const registryOf = (processes: readonly (readonly Family[])[]): Registry =>
  AggregatorRegistry.aggregate(processes as unknown as MetricObject[][])
