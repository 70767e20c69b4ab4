// What this process counts: plain numbers that cost a request next to nothing, and are read only at a scrape.

/** A number with the values of its metric's labels. */
interface Sample {
  readonly value: number
  readonly labels: Readonly<Record<string, string>>
  /** The name of a histogram's part: `…_bucket`, `…_sum` or `…_count`. */
  readonly metricName?: string
}

/** How the values of several processes become one. */
type Aggregator = 'sum' | 'first' | 'max'

/** A metric with its samples, in the shape that prom-client reads and that processes send each other. */
export interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly aggregator: Aggregator
  readonly values: readonly Sample[]
}

/** What a metric is called and what it means. Its labels never name a company, a key or a record. */
interface Description {
  readonly name: string
  /** A sentence that says what is counted, and its unit. */
  readonly help: string
  readonly labels?: readonly string[]
}

/** A number that code changes where it happens: `count.value++`. */
export interface Count {
  value: number
}

const instruments: (() => Family)[] = []

/** What this process has counted so far. */
export const countedFamilies = (): Family[] => instruments.map((read) => read())

/** What is counted for each combination of the values of a metric's labels. */
class Series<T> {
  readonly #labels: readonly string[]
  readonly #make: (labels: Readonly<Record<string, string>>) => T
  readonly #byValues = new Map<string, T>()

  constructor(labels: readonly string[], make: (labels: Readonly<Record<string, string>>) => T) {
    this.#labels = labels
    this.#make = make
    // Without labels there is one, which is shown from the start.
    if (labels.length === 0) this.of()
  }

  /** The one with these values of the labels, in their order. Callers on hot paths keep it. */
  of(...values: string[]): T {
    const key = values.join('\u0000')
    let one = this.#byValues.get(key)
    if (one === undefined) {
      one = this.#make(Object.fromEntries(this.#labels.map((label, n) => [label, values[n] ?? ''])))
      this.#byValues.set(key, one)
    }
    return one
  }

  get all(): T[] {
    return [...this.#byValues.values()]
  }
}

/** A metric of one number for each combination of its labels. */
function numbers(type: 'counter' | 'gauge', { name, help, labels = [] }: Description): Series<Count> {
  const series = new Series(labels, (labels) => ({ value: 0, labels }))
  instruments.push(() => ({ name, help, type, aggregator: 'sum', values: series.all }))
  return series
}

/** A number that only grows while the process lives. */
export const counter = (description: Description): Series<Count> => numbers('counter', description)

/** A number that rises and falls. */
export const gauge = (description: Description): Series<Count> => numbers('gauge', description)

/** How many values were at most as large as each bound, and their sum. */
class Distribution {
  readonly labels: Readonly<Record<string, string>>
  readonly #bounds: readonly number[]
  /** By bound, each value counted once; the last one is for values above all bounds. */
  readonly #counts: Float64Array
  #sum = 0

  constructor(bounds: readonly number[], labels: Readonly<Record<string, string>>) {
    this.labels = labels
    this.#bounds = bounds
    this.#counts = new Float64Array(bounds.length + 1)
  }

  observe(value: number): void {
    let at = 0
    while (at < this.#bounds.length && value > (this.#bounds[at] as number)) at++
    this.#counts[at] = (this.#counts[at] as number) + 1
    this.#sum += value
  }

  /** The samples of this distribution: cumulative, as Prometheus has them. */
  samples(name: string): Sample[] {
    const { labels } = this
    let count = 0
    const buckets = [...this.#counts].map((own, at): Sample => {
      count += own
      const le = at < this.#bounds.length ? String(this.#bounds[at]) : '+Inf'
      return { metricName: `${name}_bucket`, value: count, labels: { le, ...labels } }
    })
    const sum = { metricName: `${name}_sum`, value: this.#sum, labels }
    return [...buckets, sum, { metricName: `${name}_count`, value: count, labels }]
  }
}

export type { Distribution }

/** A metric of how values are distributed, over buckets up to these bounds, for each combination of its labels. */
export function histogram({ name, help, labels = [] }: Description, bounds: readonly number[]): Series<Distribution> {
  const series = new Series(labels, (labels) => new Distribution(bounds, labels))
  instruments.push(() => {
    const values = series.all.flatMap((one) => one.samples(name))
    return { name, help, type: 'histogram', aggregator: 'sum', values }
  })
  return series
}

/** Seconds of requests, as OpenTelemetry's semantic conventions advise for HTTP. */
export const HTTP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
/** Seconds of statements, as they advise for databases. */
export const DATABASE_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

/** A family that was not counted but read, such as the state of the database. The servers of one database read the same. */
export const readFamily = (
  { name, help }: Description,
  values: readonly Sample[] | number,
  aggregator: Aggregator = 'max',
): Family => ({
  name,
  help,
  type: 'gauge',
  aggregator,
  values: typeof values === 'number' ? [{ value: values, labels: {} }] : values,
})
