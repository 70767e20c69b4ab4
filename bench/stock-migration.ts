// Measures how long requests for stock wait during migration 0017, with a given number of levels, a tenth of them with a wrong product.
import { parseArgs } from 'node:util'
import { connect, type Database } from '../server/src/database/connect.ts'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { migrate } from '../server/src/database/migrate.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({ options: { levels: { type: 'string', default: '200000' } } })

/** The database before migration 0017. */
const before = `
  drop function inventories_one_level cascade;
  drop index inventories_tuple;
  create unique index inventories_live on inventories (company_id, variant_id, outlet_id) where not is_deleted;
  delete from migrations where number = 17`

/** Variants at ten outlets each. */
const variants = `
  insert into variants (company_id, id, body)
  select 'one', 'v' || n, json_build_object('id', 'v' || n, 'productId', 'p' || n, 'createdAt', '', 'updatedAt', '')
  from generate_series(1, $1::int / 10) as n`
const levels = `
  insert into inventories (company_id, id, body)
  select 'one', 'l' || n, json_build_object('id', 'l' || n, 'productId', case when n % 10 = 0 then 'another' else 'p' || 1 + n / 10 end,
    'variantId', 'v' || 1 + n / 10, 'outletId', 'o' || n % 10, 'stock', n % 50, 'isDeleted', false,
    'createdAt', '2026-11-01T09:00:00.000Z', 'updatedAt', '2026-11-01T09:00:00.000Z', 'companyId', 'one')
  from generate_series(0, $1::int - 1) as n`

async function run(database: Database): Promise<void> {
  await migrate(database)
  // No request deadlines, since this takes long.
  const client = await database.connectAlone()
  await client.query(before)
  const count = Number(options.levels)
  await client.query(variants, [count])
  await client.query(levels, [count])
  await client.query('vacuum analyze')
  await client.end()
  const began = performance.now()
  await migrate(database)
  const milliseconds = Math.round(performance.now() - began)
  const [row] = await database.query('select count(*)::int from inventories where version = 2')
  console.table({ levels: count, 'given their product': row?.[0], milliseconds })
}

const folder = await temporaryFolder('stock-migration')
const embedded = await openEmbedded({ dataDirectory: folder, log: () => {} })
const database = connect(embedded.connection, { size: 1 })
try {
  await run(database)
} finally {
  await database.close()
  await embedded.stop()
}
