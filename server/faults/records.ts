// Reads all records of a company over HTTP, page by page.
import { Agent } from 'node:http'
import type { Company } from './company.ts'
import { kinds } from './kinds.ts'
import { ask } from './request.ts'

/** Every record by id. */
export async function readRecords(url: string, { apiKey }: Company): Promise<Map<string, Record<string, unknown>>> {
  const agent = new Agent({ keepAlive: true })
  const records = new Map<string, Record<string, unknown>>()
  try {
    for (const many of new Set(kinds.map((kind) => kind.many))) {
      let cursor: string | undefined
      do {
        const place = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`
        const answer = await ask(agent, `${url}/v1/${many}?limit=1000${place}`, {
          method: 'GET',
          headers: { 'x-api-key': apiKey },
        })
        if (answer.status !== 200) throw new Error(`The list of ${many} is answered ${answer.status}: ${answer.text}`)
        const { data, meta } = JSON.parse(answer.text)
        for (const record of data) records.set(record.id, record)
        cursor = meta.nextCursor
      } while (cursor !== undefined)
    }
    return records
  } finally {
    agent.destroy()
  }
}
