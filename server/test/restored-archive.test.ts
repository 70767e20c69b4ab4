// The archive of a restored database: nothing of a copy gets into the archive of the service that it was restored from,
// and once the copy is resumed, what it archives can be restored too.
import assert from 'node:assert/strict'
import { copyFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { archivingFolder, dataFolder, json, type Program, serve, until } from './support/program.ts'

/** Creates a customer, and returns its name. */
async function create({ url }: Program, key: string, firstName: string): Promise<string> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const { status } = await fetch(`${url}/v1/customer`, { method: 'POST', headers, body: JSON.stringify({ firstName }) })
  assert.equal(status, 201)
  return firstName
}

/** The names of all customers. */
async function names({ url }: Program, key: string): Promise<string[]> {
  const { data } = (await (await fetch(`${url}/v1/customers`, { headers: { 'x-api-key': key } })).json()) as any
  return data.map(({ firstName }: { firstName: string }) => firstName).toSorted()
}

test('a restored database archives nothing until it is resumed; after that a backup from before the restore leads to what it wrote', async (t) => {
  const data = await archivingFolder(t)
  const folder = await dataFolder(t)
  const backups = join(folder, 'backups')
  const archive = join(folder, 'archive')
  const environment = { CASHWRAP_DATA: data, CASHWRAP_ARCHIVE: archive }
  const original = await serve(t, environment)
  const key = original.said.companyKey
  await create(original, key, 'Ada')
  await json(environment, 'backup', backups)
  await create(original, key, 'Bea')
  await original.stop()

  /** A data folder of its own, restored to the newest moment, and the environment of its server. */
  async function restored(name: string): Promise<typeof environment> {
    const into = join(folder, name)
    await json(environment, 'restore', backups, '--into', into)
    await copyFile(join(data, 'secret'), join(into, 'secret'))
    return { ...environment, CASHWRAP_DATA: into }
  }
  const archived = async () => (await readdir(archive, { recursive: true })).toSorted()
  const before = await archived()

  // A copy with the settings of the service, as for a drill: the archive still leads to the service's own moment.
  const second = await restored('second')
  await json(second, 'company', 'list')
  const copy = await serve(t, second)
  assert.match(copy.log(), /archiving is paused until `cashwrap resume`/)
  assert.deepEqual(await names(copy, key), ['Ada', 'Bea'])
  await create(copy, key, 'Cleo')
  await copy.stop()
  assert.deepEqual(await archived(), before)

  // It is resumed, and serves.
  const serving = await serve(t, second)
  await json(second, 'resume')
  await until('archiving is resumed', () => serving.log().includes('archiving is resumed'))
  await serving.stop()
  const going = await serve(t, second)
  await create(going, key, 'Dora')
  await going.stop()

  const third = await serve(t, await restored('third'))
  assert.deepEqual(await names(third, key), ['Ada', 'Bea', 'Cleo', 'Dora'])
})
