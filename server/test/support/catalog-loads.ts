// Imports of catalogue rows into a company as the command does them, and what they counted and refused.
import assert from 'node:assert/strict'
import { formatOf } from '../../src/features/file-import/formats.ts'
import type { ShopName } from '../../src/features/file-import/layout.ts'
import { loadFile } from '../../src/features/file-import/load.ts'
import { scopeOf } from '../../src/features/tenants/tenants.ts'
import { csvFiles, records } from './catalog.ts'
import { openCsv } from './catalog-files.ts'
import type { Body } from './contract.ts'
import type { Row } from './imports.ts'
import type { Company, TestService } from './service.ts'

interface Options {
  readonly outletId?: string
  readonly dryRun?: boolean
}

/** Returns a function that imports rows as the command does, from files that exist until the tests of the file are over. */
export function catalogLoads(service: TestService) {
  const csvFile = csvFiles()
  return async (
    company: Company,
    shop: ShopName,
    rows: readonly Row[],
    { outletId = 'main', dryRun = false }: Options = {},
  ) => {
    const { database } = service
    const refused: string[] = []
    const file = await openCsv(csvFile(rows))
    const scope = await scopeOf(database, company.id)
    const { products, variants, categories, stockSet, rowsRefused } = await loadFile({
      database,
      scope,
      format: formatOf(file, shop),
      file,
      outletId,
      defaultOutlet: async () => outletId,
      dryRun,
      refused: ({ line, reason }) => refused.push(`${line}: ${reason}`),
    })
    const counts = [products, variants, categories].map((count) => Object.values(count).join(' '))
    return { counts, stockSet, rowsRefused, refused }
  }
}

/** The only record of a kind. */
export async function only(company: Company, kind: 'products' | 'variants'): Promise<Body> {
  const found = await records(company, kind)
  assert.equal(found.length, 1)
  return found[0] as Body
}
