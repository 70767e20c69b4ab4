// `cashwrap extension …` as people and scripts use it, and the aliases of organizations from before aliases existed.
import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { newId } from '../src/core/ids.ts'
import { connect } from '../src/database/connect.ts'
import { migrate } from '../src/database/migrate.ts'
import { createOrganization } from '../src/features/tenants/tenants.ts'
import { startService } from '../src/service.ts'
import { copyDatabase, testConnection } from './support/database.ts'
import { cashwrap, dataFolder, urlOf } from './support/program.ts'
import { testSettings } from './support/service.ts'

test('extensions are created, listed, shown, changed and deleted from the command line, and appear at once on a running server', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const service = await startService(connection, testSettings)
  t.after(() => service.close())
  const { organizationId } = await createOrganization(service.database, { name: 'Acme' })
  const environment = { DATABASE_URL: urlOf(connection) }
  const own = ['--organization', organizationId]
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await cashwrap(['extension', ...args, '--json'], environment)
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout)
  }
  const published = async (): Promise<any> => (await fetch(`${service.url}/v1/public/published-extensions`)).json()

  const file = join(await dataFolder(t), 'extension.json')
  const surfaces = [{ id: 'a', platform: 'web', type: 'page', url: 'https://example.com/a' }]
  await writeFile(file, JSON.stringify({ name: 'From the file', price: 3, surfaces }))
  const made = await run('create', ...own, '--from', file, '--name', 'Cards', '--short-description', 'Points')
  const { id, createdAt, updatedAt, ...members } = made
  assert.deepEqual(members, { name: 'Cards', shortDescription: 'Points', status: 'draft', price: 3, surfaces })
  assert.deepEqual(await published(), [])
  const changed = await run('update', id, ...own, '--status', 'public', '--price', '9.5')
  assert.deepEqual([changed.status, changed.price, changed.name], ['public', 9.5, 'Cards'])
  assert.deepEqual(
    (await published()).map(({ id, organization }: any) => [id, organization.organization_alias]),
    [[id, 'acme']],
  )
  assert.deepEqual(await run('show', id, ...own), changed)
  assert.deepEqual(await run('list', ...own), [changed])
  assert.deepEqual(await run('list', ...own, '--status', 'draft'), [])

  const refused: [string[], RegExp][] = [
    [['create', '--name', 'a'], /'--organization <id>' not specified/],
    [['create', ...own], /\/name: is required/],
    [['create', ...own, '--name', 'a', '--website', 'javascript:alert(1)'], /\/website: must be an absolute http/],
    [['create', ...own, '--name', 'a', '--status', 'open'], /Allowed choices are draft, public, archived/],
    [['create', ...own, '--name', 'a', '--price', 'much'], /'--price <number>' .* 9\.5/],
    [['create', '--organization', newId(), '--name', 'a'], /--organization: There is no organization/],
    [['list', '--organization', newId()], /--organization: There is no organization/],
    [['show', newId(), ...own], /<id>: There is no extension/],
    [['update', newId(), ...own, '--name', 'a'], /<id>: There is no extension/],
    [['update', id, '--organization', newId(), '--name', 'a'], /<id>: There is no extension/],
    [['delete', 'mine', ...own], /24 characters/],
  ]
  for (const [args, sentence] of refused) {
    const { code, stderr } = await cashwrap(['extension', ...args], environment)
    assert.equal(code, 2, stderr)
    assert.match(stderr, sentence)
  }
  const { code, stdout } = await cashwrap(['extension', 'show', id, ...own], environment)
  assert.equal(code, 0)
  assert.match(stdout, /Cards in full\./)
  for (const command of ['create', 'list', 'show', 'update', 'delete'])
    assert.match((await cashwrap(['extension', command, '--help'], {})).stdout, /Example:\n {2}\$ cashwrap extension/)

  assert.deepEqual(await run('delete', id, ...own), { id, deleted: true })
  assert.deepEqual(await published(), [])
})

test('existing organizations get unique aliases from their names, and those of the previous version their id', async (t) => {
  const name = `test_${newId()}`
  const admin = connect(testConnection(), { size: 1 })
  await admin.query(`create database ${name}`)
  const database = connect({ ...testConnection(), database: name })
  t.after(async () => {
    await database.close()
    await admin.query(`drop database ${name} with (force)`)
    await admin.close()
  })
  // As the previous version left it.
  const folder = new URL('../src/database/migrations/', import.meta.url)
  await database.query(
    'create table migrations (number integer primary key, name text not null, applied_at timestamptz not null default now())',
  )
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()) {
    const number = Number(file.slice(0, 4))
    if (number >= 8) continue
    const client = await database.connectAlone()
    await client.query(await readFile(new URL(file, folder), 'utf8'))
    await client.end()
    await database.query('insert into migrations (number, name) values ($1, $2)', [number, file])
  }
  const names = ['Café', 'cafe', 'Cafe 2', 'CAFÉ', '東京', 'Ünïted & Söns']
  const insert = (id: string, name: string, n: number) =>
    database.query(`insert into organizations (id, name, created_at, updated_at) values ($1, $2, $3, $3)`, [
      id,
      name,
      new Date(n * 1_000).toISOString(),
    ])
  for (const [n, name] of names.entries()) await insert(newId(), name, n)
  const migrated = await migrate(database)
  assert.ok(migrated.includes('0008_extensions.sql'))
  const rows = await database.query('select alias from organizations order by created_at')
  assert.deepEqual(
    rows.map(([alias]) => alias),
    ['cafe', 'cafe-2', 'cafe-2-2', 'cafe-3', 'organization', 'united-sons'],
  )
  const id = newId()
  await insert(id, 'Cafe', 100)
  const { organizationId } = await createOrganization(database, { name: 'Cafe' })
  const [made] = await database.query('select alias from organizations where id = $1', [organizationId])
  assert.deepEqual(made, ['cafe-4'])
  assert.deepEqual(await migrate(database), [])
})
