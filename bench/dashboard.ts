// Asks a running Prometheus every query of the dashboard, and says which of them it cannot answer.
import { readFile } from 'node:fs/promises'

const [prometheus = 'http://127.0.0.1:9090'] = process.argv.slice(2)

interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
}

const file = new URL('../deploy/grafana/cashwrap.json', import.meta.url)
const { panels }: { panels: Panel[] } = JSON.parse(await readFile(file, 'utf8'))

/** A query with what Grafana puts in place of its variables. */
const filledIn = (expr: string): string =>
  expr
    .replaceAll('$job', 'cashwrap')
    .replaceAll('$instance', '.*')
    .replaceAll('$__rate_interval', '1m')
    .replaceAll('$__range', '1h')

let failed = 0
console.log('| panel | series | first value |')
console.log('|---|--:|--:|')
for (const { title, targets = [] } of panels)
  for (const { expr } of targets) {
    const url = `${prometheus}/api/v1/query?query=${encodeURIComponent(filledIn(expr))}`
    const { status, error, data } = (await (await fetch(url)).json()) as {
      status: string
      error?: string
      data?: { result: { value: [number, string] }[] }
    }
    if (status !== 'success') failed++
    console.log(`| ${title} | ${data?.result.length ?? error} | ${data?.result[0]?.value[1] ?? ''} |`)
  }
process.exitCode = failed > 0 ? 1 : 0
