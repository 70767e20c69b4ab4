// The organization’s own public members: its name, its logo, and its alias, which no other organization has (decisions §10).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { organizationNamed } from './support/organizations.ts'
import { assertProblem } from './support/problem.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()
const organizationPath = '/v1/organization-api/organization'
const organization = (name: string) => organizationNamed(service, name)
const aliasOf = async (call: Caller): Promise<string> => (await call('GET', organizationPath)).body.alias

test('an alias is generated from the name, in ASCII, with a number appended if it is taken', async () => {
  const aliases: [string, RegExp][] = [
    ['Café Zürich & Söhne', /^cafe-zurich-sohne$/],
    ['Café Zürich & Söhne', /^cafe-zurich-sohne-2$/],
    ['CAFE ZURICH SOHNE', /^cafe-zurich-sohne-3$/],
    ['Cafe Zurich Sohne 7', /^cafe-zurich-sohne-7$/],
    ['Cafe Zurich Sohne', /^cafe-zurich-sohne-8$/],
    ['  ﬁne — №1  ', /^fine-no1$/],
    ['東京', /^organization(-\d+)?$/],
    ['<b>', /^b$/],
    ['-'.repeat(500), /^organization(-\d+)?$/],
    [`${'long '.repeat(99)}`, /^(long-){9}long$/],
  ]
  for (const [name, expected] of aliases) assert.match(await aliasOf((await organization(name)).call), expected, name)
})

test('an alias can follow numbers of any length, and if none is left the id is used', async () => {
  const { call } = await organization('Zeta')
  for (const number of ['999999999', '99999999999999999999', '9'.repeat(58)]) {
    const alias = `zeta-${number}`
    assert.equal((await call('PATCH', organizationPath, { alias })).status, 200)
    const first = await organization('Zeta')
    const second = await organization('Zeta')
    const third = await organization('Zeta')
    const next = BigInt(number) + 1n
    if (number.length === 58)
      // The name itself is free: its owner has the long one.
      for (const { id, call } of [second, third]) assert.equal(await aliasOf(call), id)
    else {
      assert.equal(await aliasOf(second.call), `zeta-${next}`)
      assert.equal(await aliasOf(third.call), `zeta-${next + 1n}`)
    }
    for (const { id } of [first, second, third])
      await service.database.query(`update organizations set alias = $2 where id = $1`, [id, `gone-${id}`])
  }
})

test('concurrently created organizations with one name get different aliases', async () => {
  const made = await Promise.all(Array.from({ length: 12 }, () => organization('Twin Shops')))
  const aliases = await Promise.all(made.map(({ call }) => aliasOf(call)))
  assert.deepEqual(
    aliases.sort(),
    ['twin-shops', ...Array.from({ length: 11 }, (_, n) => `twin-shops-${n + 2}`)].sort(),
  )
})

test('an organization reads and changes its name, alias and logo, and invalid values are refused', async () => {
  const { id, call } = await organization('Reader')
  const { body } = await call('GET', organizationPath)
  const { createdAt, updatedAt } = body
  assert.deepEqual(body, { id, name: 'Reader', alias: 'reader', createdAt, updatedAt })
  assert.equal((await call('PATCH', organizationPath, body)).body.updatedAt, updatedAt)
  const logo = 'https://example.com/l.png'
  const changed = await call('PATCH', organizationPath, { name: 'Writer <i>', alias: 'w-1', logo })
  assert.deepEqual(changed.body, { ...body, name: 'Writer <i>', alias: 'w-1', logo, updatedAt: changed.body.updatedAt })
  assert.ok(changed.body.updatedAt > updatedAt)
  assert.deepEqual((await call('GET', organizationPath)).text, changed.text)
  assert.equal((await call('PATCH', organizationPath, { logo: null })).body.logo, undefined)
  const bad = ['', 'A', 'ä', 'a b', '-a', 'a-', 'a--b', 'a_b', 'a/b', 'x'.repeat(64), 'a\n', 7, null]
  const wrong = [
    ...bad.map((alias) => [{ alias }, '/alias']),
    ...['', ' \t', null, 'x'.repeat(501)].map((name) => [{ name }, '/name']),
    ...['javascript:alert(1)', 'data:image/png;base64,AA', '/l.png', ''].map((logo) => [{ logo }, '/logo']),
    [{ aliass: 'b' }, '/aliass'],
  ] as [Body, string][]
  for (const [value, pointer] of wrong) {
    const { errors } = assertProblem(
      await call('PATCH', organizationPath, value),
      400,
      'validation_failed',
      JSON.stringify(value),
    )
    assert.equal(errors[0].pointer, pointer)
  }
  assert.equal(await aliasOf(call), 'w-1')
})

test('an alias belongs to one organization: a second one gets 409, also with concurrent requests', async () => {
  const one = await organization('One of two')
  const two = await organization('Two of two')
  const second = await two.call('PATCH', organizationPath, { alias: 'one-of-two' })
  const { reason, errors } = assertProblem(second, 409, 'conflict')
  assert.deepEqual([reason, errors[0].pointer, await aliasOf(two.call)], ['alias_taken', '/alias', 'two-of-two'])
  for (let n = 0; n < 5; n++) {
    const both = [one, two].map(({ call }) => call('PATCH', organizationPath, { alias: `wanted-${n}` }))
    assert.deepEqual((await Promise.all(both)).map(({ status }) => status).sort(), [200, 409])
  }
  assert.equal((await one.call('PATCH', organizationPath, { alias: 'one-of-two' })).status, 200)
})
