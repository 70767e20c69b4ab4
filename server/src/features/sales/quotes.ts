// Computes sales of one company: by its settings, and with its tax tables where lines name no taxes.

import type { Problem } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'
import { type Quote, quoteOf } from './quote.ts'
import type { Sale } from './sale.ts'
import { taxTablesOf } from './tax-tables.ts'

/** The quote of each checked sale, or what keeps it from being computed. */
export async function quotesOf<S extends Sale>(
  database: Queryable,
  companyId: string,
  sales: readonly S[],
): Promise<(Quote<S> | Problem)[]> {
  const [row] = await database.query(
    { name: 'sales_settings', text: 'select currency, tax_rounding, cash_rounding from companies where id = $1' },
    [companyId],
  )
  const [currency, taxRounding, cashRounding] = row ?? []
  const tables = await taxTablesOf(database, companyId, sales)
  return sales.map((sale, n) => quoteOf(sale, { currency, taxRounding, cashRounding, taxTables: tables[n] }))
}
