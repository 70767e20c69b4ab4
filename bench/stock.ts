// Measurements of stock: setting levels, moving them, and showing them on variants.
import type { BareRun } from './bare-driver.ts'
import { type Request, sendEach, wrkLoad } from './load.ts'
import type { Measurement, Parts } from './measurement.ts'
import { idMark, lengthMark, outlets, sampleVariant } from './sample.ts'
import type { Company } from './started.ts'

const levelsARequest = 1_000

/** Makes bodies that set the levels of each portion of variants, with another quantity each time. */
function bodiesOf(portions: readonly (readonly string[])[]): () => string[] {
  let quantity = 1_000
  return () =>
    portions.map((some) => {
      quantity++
      const items = some.map((variantId) => ({
        productId: sampleVariant.productId,
        variantId,
        outletId: outlets[0],
        quantity,
      }))
      return JSON.stringify({ items })
    })
}

/** The lines of stock, for a company with 8,000 variants at two outlets. */
export async function stockMeasurements(
  folder: string,
  { service, urls, driver }: Pick<Parts, 'service' | 'urls' | 'driver'>,
  { apiKey, companyId, ids }: Company,
): Promise<Measurement[]> {
  const request = (method: string, path: string, body?: object, url = service.url): Request => ({
    url,
    method,
    path,
    apiKey,
    ...(body && { body: JSON.stringify(body) }),
  })
  const adjust = request('POST', '/v1/inventories/adjust', {
    items: [{ variantId: idMark, outletId: outlets[0], delta: 1, kind: 'RECEIVED' }],
  })
  const hot = await wrkLoad(folder, adjust, ids.slice(0, 1))
  const spread = await wrkLoad(folder, adjust, ids.slice(0, 1_000))
  const list = request('GET', `/v1/api/variants?limit=${lengthMark}`, undefined, urls.unlimited)
  const shown = await wrkLoad(folder, list)
  const bare = await wrkLoad(folder, { ...list, url: urls.unstocked })

  // Each concurrent one has levels of its own: two that set the same ones would wait for each other.
  const portions = Array.from({ length: Math.floor(ids.length / levelsARequest) }, (_, n) =>
    ids.slice(n * levelsARequest, (n + 1) * levelsARequest),
  )
  const bodies = bodiesOf(portions)
  const byHand: BareRun = {
    statement: { name: 'upsert_with_history', text: upsert },
    values: [companyId, [], outlets[0], new Date().toISOString()],
    idsAt: 1,
    ownIds: portions,
    clients: 1,
    times: 16,
  }
  const state = { clients: 1 }
  const runBare = async (clients: number) => (await driver.ask<{ perSecond: number }>({ ...byHand, clients })).perSecond
  return [
    {
      name: 'set-levels of 1,000',
      connections: 8,
      records: levelsARequest,
      target: 0.6,
      ours: () => sendEach(request('POST', '/v1/inventories/set-levels'), [...bodies(), ...bodies()], 8),
      limitName: 'bare upsert with history',
      limit: () => runBare(state.clients),
      prepareLimit: async () => {
        const speeds = new Map<number, number>()
        for (const clients of [1, 2, 4, 8]) speeds.set(await runBare(clients), clients)
        state.clients = speeds.get(Math.max(...speeds.keys())) as number
      },
    },
    { name: 'adjust one hot level', connections: 32, records: 1, ours: (seconds) => hot(32, seconds) },
    { name: 'adjust one of 1,000 levels', connections: 32, records: 1, ours: (seconds) => spread(32, seconds) },
    {
      name: 'list of 100 variants',
      connections: 32,
      records: 1,
      target: 0.85,
      ours: (seconds) => shown(32, seconds),
      limitName: 'without their stock',
      limit: async (seconds) => (await bare(32, seconds)).perSecond,
    },
  ]
}

/** The minimal statement, written by hand. It has no events, no checks, and no regard for other writers. */
const upsert = `
  with item as materialized (
    select variant_id, 'a' || substr(md5(random()::text), 1, 23) as id, (random() * 1e6)::int as stock
    from unnest($2::text[]) as item(variant_id)
  ), written as (
    insert into inventories as stored (company_id, id, body)
    select $1, id, ('{"id":"' || id || '","productId":"${sampleVariant.productId}","variantId":"' || variant_id || '","outletId":"' || $3::text
      || '","stock":' || stock || ',"isDeleted":false,"createdAt":"' || $4::text || '","updatedAt":"' || $4::text
      || '","companyId":"' || $1 || '"}')::json
    from item
    on conflict (company_id, variant_id, outlet_id, product_id) where not is_deleted
    do update set body = excluded.body, version = stored.version + 1
    returning variant_id
  )
  insert into inventory_history (company_id, id, created_at, inventory_id, product_id, variant_id, outlet_id, kind, body)
  select $1, id, $4, id, '${sampleVariant.productId}', variant_id, $3, 'RECOUNT', ('{"id":"' || id || '","inventoryId":"' || id
    || '","productId":"${sampleVariant.productId}","variantId":"' || variant_id || '","outletId":"' || $3::text || '","kind":"RECOUNT","previousStock":1,"newStock":'
    || stock || ',"delta":1,"createdAt":"' || $4::text || '","companyId":"' || $1 || '"}')::json
  from item`
