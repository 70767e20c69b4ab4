// Measurements of customers that a company's own table extends: a company with such customers, and lists of them compared with plain ones.
import { type Request, wrkLoad } from './load.ts'
import type { Measurement, Parts } from './measurement.ts'
import { idMark, lengthMark, numbered, sampleBody } from './sample.ts'
import type { Company } from './started.ts'

const portion = 500
const field = '/v1/api/custom-table-field'

/** Gives an empty company a table of five columns and customers that have them. */
export async function fillExtended(url: string, { apiKey }: Company, count: number): Promise<string[]> {
  const post = async (path: string, body: object): Promise<any> => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  const { _id: tableId } = await post('/v1/api/custom-table', { name: 'loyalty' })
  await post(field, { tableId, name: 'customer', type: 'string', referenceLinkedCollection: 'customers' })
  const types = { tier: 'string', points: 'number', since: 'date', isVip: 'boolean', note: 'string' }
  for (const [name, type] of Object.entries(types)) await post(field, { tableId, name, type })
  const loyalty = {
    tier: 'gold',
    points: 120.5,
    since: '2026-01-02T03:04:05.000Z',
    isVip: true,
    note: 'Likes espresso',
  }
  const ids: string[] = []
  while (ids.length < count) {
    const items = Array.from({ length: portion }, (_, n) => ({
      ...JSON.parse(numbered(JSON.stringify(sampleBody), ids.length + n)),
      loyalty,
    }))
    const { results } = await post('/v1/customers', { items })
    ids.push(...results.map(({ data }: any) => data.id))
  }
  return ids
}

/** The lines of extended customers, beside the same of plain ones. */
export async function extendedMeasurements(
  folder: string,
  { service: { url } }: Pick<Parts, 'service'>,
  plain: Company,
  extended: Company,
): Promise<Measurement[]> {
  const beside = async (name: string, path: string, target?: number): Promise<Measurement> => {
    const load = ({ apiKey, ids }: Company) => {
      const request: Request = { url, method: 'GET', path, apiKey }
      return wrkLoad(folder, request, path.includes(idMark) ? ids.slice(0, 1_000) : [])
    }
    const own = await load(extended)
    const others = await load(plain)
    return {
      name,
      connections: 32,
      records: 1,
      ...(target !== undefined && { target }),
      ours: (seconds) => own(32, seconds),
      limitName: 'plain customers',
      limit: async (seconds) => (await others(32, seconds)).perSecond,
    }
  }
  return [
    // 1.4 times the cost.
    await beside('list of 100 extended customers', `/v1/api/customers?limit=${lengthMark}`, 0.71),
    await beside('read one extended customer', `/v1/api/customer/${idMark}`),
  ]
}
