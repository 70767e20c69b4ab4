// What `cashwrap company export` and `import` print and how they end: a file that is incomplete, or not for this
// server, changes nothing.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { exported, type Place, placeWith } from './support/company-files.ts'
import { cashwrap, cashwrapEach, dataFolder, until } from './support/program.ts'
import { serveHere } from './support/served.ts'

/** The file of a new company. */
const fileOf = async (t: Pick<TestContext, 'after'>, place: Place) =>
  exported(t, place, (await place.company()).companyId)

/** The file with another text, and a digest that fits. */
function forged(text: string, from: string | RegExp, to: string): string {
  const lines = text.trimEnd().split('\n')
  const end = JSON.parse(lines.pop() as string)
  const before = `${lines.join('\n')}\n`.replaceAll(from, to)
  return `${before}${JSON.stringify({ ...end, sha256: createHash('sha256').update(before).digest('hex') })}\n`
}

test('export prints what it wrote, and refuses an existing file, a missing folder and an unknown company', async (t) => {
  const source = await placeWith(t, 1)
  const { companyId, file, printed } = await fileOf(t, source)
  const bytes = await readFile(file)
  assert.deepEqual(
    [printed.file, printed.bytes, printed.sha256, printed.company.id],
    [file, bytes.length, createHash('sha256').update(bytes).digest('hex'), companyId],
  )
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const nowhere = join(file, 'shop.ndjson')
  const [there, folder, unknown] = await cashwrapEach(
    [
      ['company', 'export', companyId, file],
      ['company', 'export', companyId, nowhere],
      ['company', 'export', '0'.repeat(24), `${file}.2`],
    ],
    source.environment,
  )
  assert.deepEqual([there?.code, folder?.code, unknown?.code], [1, 1, 2])
  assert.match(there?.stderr ?? '', /exists already; name another file/)
  assert.match(folder?.stderr ?? '', /cannot be written/)
  assert.match(unknown?.stderr ?? '', /<id>: .*company/)
  await assert.rejects(stat(`${file}.2`))
})

test('import: a dry run writes nothing, the second import nothing more, and other content is refused', async (t) => {
  const source = await placeWith(t, 1)
  const target = await placeWith(t, 1)
  const { companyId, file } = await fileOf(t, source)
  const importing = ['company', 'import', file]
  const [dry, first] = await cashwrapEach([[...importing, '--dry-run', '--json']], target.environment).then(
    async ([dry]) => {
      assert.equal(await target.companies(), 0)
      return [dry, ...(await cashwrapEach([[...importing, '--json']], target.environment))]
    },
  )
  assert.deepEqual([dry?.code, first?.code], [0, 0], dry?.stderr ?? first?.stderr)
  const tried = JSON.parse(dry?.stdout ?? '')
  const done = JSON.parse(first?.stdout ?? '')
  assert.deepEqual([tried.isDryRun, done.isDryRun, done.wasThere], [true, false, false])
  assert.deepEqual([done.companyId, done.organizationId], [companyId, target.organizations[0]])
  assert.deepEqual(tried.counts, done.counts)
  const change = ['company', 'suspend', companyId]
  const [second, , other] = await cashwrapEach([[...importing, '--json'], change, importing], target.environment)
  assert.deepEqual([second?.code, JSON.parse(second?.stdout ?? '').wasThere], [0, true])
  assert.equal(other?.code, 1)
  assert.match(other?.stderr ?? '', /exists, and its content differs from the file's \(companies/)
})

test('import names the organization, by the file, by being the only one, or by --organization', async (t) => {
  const source = await placeWith(t, 1)
  const target = await placeWith(t, 2)
  const { file } = await fileOf(t, source)
  const importing = ['company', 'import', file]
  const [none, wrong, unknown, right] = await cashwrapEach(
    [
      importing,
      [...importing, '--organization', 'x'],
      [...importing, '--organization', '0'.repeat(24)],
      [...importing, '--organization', target.organizations[1] as string, '--json'],
    ],
    target.environment,
  )
  assert.deepEqual([none?.code, wrong?.code, unknown?.code, right?.code], [1, 2, 2, 0])
  assert.match(none?.stderr ?? '', /name one with --organization/)
  assert.match(unknown?.stderr ?? '', /--organization: /)
  assert.equal(JSON.parse(right?.stdout ?? '').organizationId, target.organizations[1])
})

test('import refuses a file that is cut, changed, newer, of another company, or no such file, and changes nothing', async (t) => {
  const source = await placeWith(t, 1)
  const target = await placeWith(t, 1)
  const { companyId, file } = await fileOf(t, source)
  const text = await readFile(file, 'utf8')
  // Before the last line, which is long.
  const middle = text.indexOf('\n', text.lastIndexOf('\n{"rows":') / 2)
  const otherId = `${companyId.slice(0, -1)}${companyId.endsWith('0') ? '1' : '0'}`
  const bad: [name: string, text: string, expected: RegExp][] = [
    ['cut in a line', text.slice(0, middle - 5), /is cut off: its end is missing. Nothing was imported/],
    ['cut after a line', text.slice(0, middle + 1), /is cut off/],
    ['a byte changed', text.replace('Corner', 'Korner'), /was changed or damaged/],
    ['a line less', text.replace(/\n\{"table":"api_keys".*(?=\n)/, ''), /was changed or damaged/],
    ['more after its end', `${text}{"table":"roles","row":{}}\n`, /was changed or damaged/],
    ['newer', text.replace('"format":1', '"format":3').replace(/"migration":\d+/, '"migration":9999'), /format 3 of a newer version.* Upgrade this server first/], // biome-ignore format: one thought
    [
      'earlier',
      text.replace('"format":1', '"format":2'),
      /format 2 of an earlier version.* or export the company again/,
    ],
    ['newer tables', text.replace(/"migration":\d+/, '"migration":9999'), /was changed or damaged/],
    ['newer migration', forged(text, /"migration":\d+/g, '"migration":9999'), /from a newer version/],
    ['another company', forged(text, `"company":{"id":"${companyId}"`, `"company":{"id":"${otherId}"`), /rows of another company/], // biome-ignore format: one thought
    [
      'events of centuries',
      forged(text, /"eventsSince":"\d+/g, '"eventsSince":"1000'),
      /an export has the events of 30 days/,
    ],
    ['events of no time', forged(text, /"exportedAt":"\d+/g, '"exportedAt":"x'), /an export has the events of 30 days/],
    ['an unknown table', forged(text, 'api_keys', 'rules'), /rules, which this version/],
    ['empty', '', /is not the file of a company/],
    ['JSON of something else', '{"a":1}\n', /is not the file of a company/],
    ['no JSON', 'PK\u0003\u0004\n', /is not the file of a company/],
  ]
  const commands: string[][] = [['company', 'import', `${file}.missing`]]
  for (const [name, content] of bad) {
    await writeFile(`${file}.${name}`, content)
    commands.push(['company', 'import', `${file}.${name}`, '--json'])
  }
  const [missing, ...refused] = await cashwrapEach(commands, target.environment)
  assert.equal(missing?.code, 1)
  assert.match(missing?.stderr ?? '', /cannot be read/)
  for (const [n, [name, , expected]] of bad.entries()) {
    assert.equal(refused[n]?.code, 1, `${name}: ${refused[n]?.stderr}`)
    assert.match(refused[n]?.stderr ?? '', expected, name)
    assert.equal(JSON.parse(refused[n]?.stdout ?? '').error.exitCode, 1)
  }
  assert.equal(await target.companies(), 0)
})

test('a key of the file that another company has here is refused', async (t) => {
  const source = await placeWith(t, 1)
  const target = await placeWith(t, 1)
  const { file } = await fileOf(t, source)
  await target.company()
  const [row] = await source.database.query('select hash from api_keys where company_id is not null')
  await target.database.query('update api_keys set hash = $1 where company_id is not null', row)
  const { code, stderr } = await cashwrap(['company', 'import', file], target.environment)
  assert.equal(code, 1)
  assert.match(stderr, /A key of the file belongs to another company here. Nothing was imported/)
  assert.equal(await target.companies(), 1)
})

test('an import whose connection is lost says so with exit code 1, changes nothing, and succeeds when it is run again', async (t) => {
  const source = await placeWith(t, 1)
  const target = await placeWith(t, 1)
  const { file } = await fileOf(t, source)
  const blocker = await target.database.connectAlone()
  t.after(() => blocker.end())
  await blocker.query('begin; lock table api_keys in access exclusive mode')
  const importing = cashwrap(['company', 'import', file], target.environment)
  await until('the import waits, and is cut off', async () => {
    const rows = await target.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into api_keys%'`,
    )
    return rows.length > 0
  })
  await blocker.query('rollback')
  const { code, stderr } = await importing
  assert.equal(code, 1, stderr)
  assert.match(stderr, /PostgreSQL at .* is not ready/)
  assert.equal(await target.companies(), 0)
  assert.equal((await cashwrap(['company', 'import', file], target.environment)).code, 0)
})

test('the passphrase comes from a file or the environment, and is refused if it is too short, missing or wrong', async (t) => {
  const source = await placeWith(t, 1)
  const target = await placeWith(t, 1)
  const { companyId, apiKey } = await source.company()
  const folder = await dataFolder(t)
  const [good, bad, short] = ['good', 'bad', 'short'].map((name) => join(folder, name)) as [string, string, string]
  await writeFile(good, 'correct horse battery\n')
  await writeFile(bad, 'another passphrase\n')
  await writeFile(short, 'eleven char\n')
  const { url, stop } = await serveHere(t, { connectionString: source.environment.DATABASE_URL })
  const made = await fetch(`${url}/v1/automation-trigger`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ triggerType: '*', triggerUrl: 'https://hooks.example.com/', apiKey: 'known to few' }),
  })
  assert.equal(made.status, 201)
  await stop()
  const file = join(folder, 'secret.ndjson')
  const exporting = ['company', 'export', companyId, file, '--json']
  const [tooShort, missing, right] = await cashwrapEach(
    [short, `${good}.missing`, good].map((path) => [...exporting, '--passphrase-file', path]),
    source.environment,
  )
  assert.deepEqual([tooShort?.code, missing?.code, right?.code], [1, 1, 0], right?.stderr)
  assert.match(tooShort?.stderr ?? '', /must have at least 12 characters/)
  assert.match(missing?.stderr ?? '', /cannot be read/)
  assert.equal(JSON.parse(right?.stdout ?? '').secretsLeftOut, 0)
  const importing = ['company', 'import', file]
  const [wrong, dry] = await cashwrapEach(
    [
      [...importing, '--passphrase-file', bad],
      [...importing, '--dry-run'],
    ],
    target.environment,
  )
  assert.deepEqual([wrong?.code, dry?.code], [1, 0])
  assert.match(wrong?.stderr ?? '', /The passphrase is not the one that the file was exported with/)
  assert.match(dry?.stdout ?? '', /1 of triggers is missing; these triggers are switched off/)
  assert.equal(await target.companies(), 0)
  const given = { ...target.environment, CASHWRAP_PASSPHRASE: 'correct horse battery' }
  const done = await cashwrap([...importing, '--json'], given)
  assert.deepEqual([done.code, JSON.parse(done.stdout).secretsLeftOut], [0, 0], done.stderr)
})
