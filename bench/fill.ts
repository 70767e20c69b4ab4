// Records for measurements: customers, created in bulk over the API.
import { numbered, sampleBody } from './sample.ts'

/** Records of one request. */
const BULK = 1_000

/** Creates customers, and returns their ids. */
export async function fill(url: string, apiKey: string, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const items = Array.from({ length: BULK }, (_, n) =>
      JSON.parse(numbered(JSON.stringify(sampleBody), ids.length + n)),
    )
    const response = await fetch(`${url}/v1/customers`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ items }),
    })
    const { results } = (await response.json()) as { results: { data: { id: string } }[] }
    ids.push(...results.map(({ data }) => data.id))
  }
  return ids
}
