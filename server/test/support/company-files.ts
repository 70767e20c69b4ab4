// Databases between which companies move as files, and the files that the command writes.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import { createCompany, createOrganization } from '../../src/features/tenants/tenants.ts'
import { copyDatabase } from './database.ts'
import { cashwrap, dataFolder, urlOf } from './program.ts'

type Test = Pick<TestContext, 'after'>
export type Place = Awaited<ReturnType<typeof placeWith>>

/** A database of the test's own, with some organizations. */
export async function placeWith(t: Test, count = 1) {
  const { connection, drop } = await copyDatabase()
  const database = connect(connection, { size: 4 })
  t.after(async () => {
    await database.close()
    await drop()
  })
  const organizations: string[] = []
  for (let n = 0; n < count; n++) {
    const { organizationId } = await createOrganization(database, { name: `O${n}`, ownerEmail: `o${n}@example.com` })
    organizations.push(organizationId)
  }
  const company = () =>
    createCompany(database, { name: 'Corner Shop', currency: 'EUR', organizationId: organizations[0] as string })
  const companies = async () => (await database.query('select count(*)::int from companies'))[0]?.[0] as number
  return { database, environment: { DATABASE_URL: urlOf(connection) }, organizations, company, companies }
}

/** A company's file, as the command writes it, and what it printed. */
export async function exported(t: Test, { environment }: Place, companyId: string) {
  const file = join(await dataFolder(t), 'shop.ndjson')
  const { code, stdout, stderr } = await cashwrap(['company', 'export', companyId, file, '--json'], environment)
  assert.equal(code, 0, stderr)
  return { companyId, file, printed: JSON.parse(stdout) }
}
