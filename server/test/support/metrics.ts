// Metrics as a test reads them: the text of a scrape as families and samples.

/** The samples of a scrape by the text before their value, and the names of its families. */
interface Scrape {
  readonly text: string
  readonly names: readonly string[]
  /** The sum of the samples of a name that have these labels; undefined if there is none. */
  sum(name: string, labels?: Readonly<Record<string, string>>): number | undefined
}

/** Reads what Prometheus would. */
export async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(url)
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${text}`)
  const samples = [...text.matchAll(/^([a-z_]+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', labels = '', value]) => ({
    name,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, of]) => [label, of])),
    value: Number(value),
  }))
  return {
    text,
    names: [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name),
    sum(name, labels = {}) {
      const own = samples.filter(
        (sample) =>
          sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
      )
      return own.length === 0 ? undefined : own.reduce((sum, { value }) => sum + value, 0)
    },
  }
}
