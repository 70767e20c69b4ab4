// Every resource of the contract as single records: paths, statuses and bodies of both styles, merging updates, clearing, deleting (decisions §2 to §4).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resources } from '../src/resources/index.ts'
import { assertRecord, backwards, fullBody, leastBody, newReference } from './support/bodies.ts'
import { assertColumns } from './support/columns.ts'
import { type Body, type Contract, contractOf, contracts } from './support/contract.ts'
import { feed } from './support/feed.ts'
import { membersApart } from './support/own-contracts.ts'
import { sharedService } from './support/service.ts'
import { isThorough, nextOf } from './support/variants.ts'

const service = sharedService()

/** The spellings under which single records are reached: where they are created, and how they are updated. */
const spellings = ({ one, styleA }: Contract) => [
  { path: `/v1/${one}`, update: 'PATCH', style: 'B' },
  ...(styleA?.one ?? []).map((path) => ({ path: `/v1/api/${path}`, update: 'PUT', style: 'A' })),
]
/** Ids that no record has, whatever is stored. */
const noIds = nextOf(['x', '6740A1F2C3D4E5F6A7B8C9D0', '9'.repeat(25), '%00', '..%2f'])
/** Members that no record has. */
const noMembers = nextOf(['zzzzzzzzzzzz', '__proto__', 'constructor', 'toString', 'clientRef', 'a/b~c'])
const memberNames = ({ members }: Contract) => Object.keys(members)

test('the service has every resource of the contract, with every member that the contract names', () => {
  const declared = Object.fromEntries(
    resources.map(({ name, fields }) => [
      name.one,
      Object.keys(fields).filter((member) => fields[member]?.serverOwned !== true),
    ]),
  )
  const expected = Object.fromEntries(contracts.map((contract) => [contract.one, memberNames(contract)]))
  for (const [one, members] of Object.entries(membersApart)) expected[one]?.push(...members)
  const sorted = (all: Record<string, string[]>) =>
    Object.fromEntries(
      Object.keys(all)
        .sort()
        .map((one) => [one, all[one]?.toSorted()]),
    )
  assert.deepEqual(sorted(declared), sorted(expected))
})

for (const contract of contracts) {
  const { one, isSoft, members } = contract
  const optional = memberNames(contract).filter((member) => !members[member]?.required)

  for (const { path, update, style } of spellings(contract)) {
    test(`${path}: create, read, update and delete answer as Style ${style} says`, async () => {
      const { id: companyId, call } = await service.company()
      const body = fullBody(contract)
      const created = await call('POST', path, body)
      assert.equal(created.status, 201, created.text)
      assert.equal(created.headers.get('content-type'), 'application/json; charset=utf-8')
      assertRecord(created.body, contract, body, companyId)
      const at = `${path}/${created.body.id}`

      const read = await call('GET', at)
      assert.equal(read.status, 200)
      assert.equal(read.text, created.text)

      const change = fullBody(contract, 1)
      const updated = await call(update, at, change)
      assert.equal(updated.status, 200, updated.text)
      assertRecord(updated.body, contract, change, companyId)
      assert.equal(updated.body.id, created.body.id)
      assert.equal(updated.body.createdAt, created.body.createdAt)
      assert.equal((await call('GET', at)).text, updated.text)

      const deleted = await call('DELETE', at)
      assert.equal(deleted.status, 200)
      const { message, ...rest } = deleted.body
      assert.match(message, /./)
      assert.deepEqual(rest, style === 'A' ? { statusCode: 200 } : { statusCode: 200, id: created.body.id })
      const after = await call('GET', at)
      assert.equal(after.status, isSoft ? 200 : 404)
      if (isSoft) assert.equal(after.body.isDeleted, true)
    })
  }

  test(`${one}: a record is the same under every path, whichever it was created by`, async () => {
    const { call } = await service.company()
    const all = spellings(contract)
    for (const { path } of all) {
      const { body, text } = await call('POST', path, leastBody(contract))
      for (const other of all) assert.equal((await call('GET', `${other.path}/${body.id}`)).text, text)
    }
  })

  test(`${one}: the required members are enough, and a create without one is refused naming it`, async () => {
    const { id: companyId, call } = await service.company()
    for (const { path } of spellings(contract)) {
      const least = leastBody(contract)
      const created = await call('POST', path, least)
      assert.equal(created.status, 201, created.text)
      assertRecord({ ...created.body, ...(one === 'outlet' && { sequenceNumber: 1 }) }, contract, least, companyId)
      for (const member of memberNames(contract).filter((each) => members[each]?.required)) {
        const { [member]: _, ...without } = leastBody(contract)
        for (const body of [without, { ...without, [member]: null }]) {
          const refused = await call('POST', path, body)
          assert.equal(refused.status, 400)
          assert.deepEqual(
            refused.body.errors.map(({ pointer, code }: Body) => ({ pointer, code })),
            [{ pointer: `/${member}`, code: 'required' }],
          )
        }
      }
    }
  })

  if (contract.oneOf)
    test(`${one}: one of ${contract.oneOf.join(', ')} is enough, and a record without any is refused`, async () => {
      const { call } = await service.company()
      const others = fullBody(contract)
      for (const member of contract.oneOf ?? []) {
        const alone = await call('POST', `/v1/${one}`, { [member]: others[member] })
        assert.equal(alone.status, 201, alone.text)
        delete others[member]
      }
      for (const body of [{}, others, { [contract.oneOf?.[0] as string]: null }]) {
        const refused = await call('POST', `/v1/${one}`, body)
        assert.equal(refused.status, 400)
        assert.equal(refused.body.errors[0].code, 'required')
      }
    })

  test(`${one}: an update changes the sent member and leaves all others, null clears it, a required one stays`, async () => {
    const { id: companyId, call } = await service.company()
    const all = spellings(contract)
    for (const [turn, { path, update }] of all.entries()) {
      const isOwn = (_: string, n: number) => isThorough || n % all.length === turn
      let expected = fullBody(contract)
      const at = `${path}/${(await call('POST', path, expected)).body.id}`
      for (const member of memberNames(contract).filter(isOwn)) {
        const change = { [member]: contract.unique?.includes(member) ? newReference() : members[member]?.values[1] }
        const { status, body, text } = await call(update, at, change)
        assert.equal(status, 200, text)
        expected = { ...expected, ...change }
        const { sequenceNumber, ...outlet } = body
        assertRecord(one === 'outlet' ? { ...outlet, sequenceNumber: 1 } : body, contract, expected, companyId)
      }
      for (const member of optional.filter(isOwn)) {
        const { status, body, text } = await call(update, at, { [member]: null })
        assert.equal(status, 200, text)
        delete expected[member]
        assertRecord({ ...body, ...(one === 'outlet' && { sequenceNumber: 1 }) }, contract, expected, companyId)
      }
      for (const member of memberNames(contract).filter((each) => members[each]?.required)) {
        const refused = await call(update, at, { [member]: null })
        assert.equal(refused.status, 400)
        assert.equal(refused.body.errors[0].pointer, `/${member}`)
      }
    }
  })

  test(`${one}: a record that was read can be sent back unchanged, its members in any order: nothing changes, and no event is raised`, async () => {
    const { id: companyId, call } = await service.company()
    for (const { path, update } of spellings(contract)) {
      const created = await call('POST', path, fullBody(contract))
      const at = `${path}/${created.body.id}`
      for (const body of [
        created.body,
        backwards(created.body),
        {},
        { ...created.body, _id: 'x', fromService: 'x', isDeleted: 1, id: 7 },
      ]) {
        const same = await call(update, at, body)
        assert.equal(same.status, 200, same.text)
        assert.equal(same.text, created.text)
      }
      const types = (await feed(service, companyId, created.body.id)).map(({ type }) => type)
      assert.deepEqual(
        types.filter((type) => type.endsWith('.updated')),
        [],
      )
    }
  })

  test(`${one}: a create may contain read-only members, which are ignored`, async () => {
    const { id: companyId, call } = await service.company()
    const servers = {
      id: newReference(),
      _id: { $oid: newReference() },
      companyId: newReference(),
      createdAt: '2001-01-01T00:00:00.000Z',
      updatedAt: 5,
      fromService: true,
      isDeleted: true,
      ...(one === 'outlet' && { sequenceNumber: 77 }),
    }
    for (const { path } of spellings(contract)) {
      const body = leastBody(contract)
      const created = await call('POST', path, { ...servers, ...body })
      assert.equal(created.status, 201, created.text)
      assert.notEqual(created.body.id, servers.id)
      assert.ok(created.body.createdAt > '2026')
      assertRecord({ ...created.body, ...(one === 'outlet' && { sequenceNumber: 1 }) }, contract, body, companyId)
      if (one === 'outlet') assert.ok(created.body.sequenceNumber < 77)
    }
  })

  test(`${one}: an unknown member is refused by name, with the likely name`, async () => {
    const { call } = await service.company()
    for (const { path, update } of spellings(contract)) {
      const at = `${path}/${(await call('POST', path, leastBody(contract))).body.id}`
      const [meant] = memberNames(contract).filter((member) => member.length > 4) as [string]
      const misspelt = `${meant.slice(0, -1)}_${meant.slice(-1)}`
      for (const member of [misspelt, ...noMembers()]) {
        const text = (body: object) => `{${JSON.stringify(member)}: "x", ${JSON.stringify(body).slice(1)}`
        for (const [method, where, body] of [
          ['POST', path, text(leastBody(contract))],
          [update, at, text({ [meant]: members[meant]?.values[0] })],
        ] as const) {
          const refused = await call(method, where, body)
          assert.equal(refused.status, 400, `${method} ${member}`)
          assert.equal(refused.body.code, 'validation_failed')
          const [{ pointer, code, message }] = refused.body.errors
          assert.equal(pointer, `/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`)
          assert.equal(code, 'unknown')
          assert.equal(message.includes(`did you mean ${meant}?`), member === misspelt, message)
        }
      }
    }
  })

  test(`${one}: an unknown id, an invalid one and another company's are 404 for every verb, and change nothing`, async () => {
    const { call } = await service.company()
    const other = await service.company()
    for (const { path, update } of spellings(contract)) {
      const theirs = await other.call('POST', path, leastBody(contract))
      for (const id of [theirs.body.id, newReference(), ...noIds()])
        for (const [method, body] of [['GET'], [update, fullBody(contract)], ['DELETE']] as const) {
          const { status, body: problem } = await call(method, `${path}/${id}`, body)
          assert.equal(status, 404, `${method} ${id}`)
          assert.equal(problem.code, 'not_found')
        }
      assert.equal((await other.call('GET', `${path}/${theirs.body.id}`)).text, theirs.text)
    }
  })

  test(`${one}: ${isSoft ? 'a deleted record is kept and flagged; reading and deleting it again is 200, updating it 404' : 'a deleted record is gone for every verb'}`, async () => {
    const { id: companyId, call } = await service.company()
    for (const { path, update } of spellings(contract)) {
      const created = await call('POST', path, leastBody(contract))
      const at = `${path}/${created.body.id}`
      assert.equal((await call('DELETE', at)).status, 200)
      const read = await call('GET', at)
      const again = await call('DELETE', at)
      const changed = await call(update, at, fullBody(contract))
      assert.equal(changed.status, 404)
      assert.equal((await call(update, at, {})).status, 404)
      const events = await feed(service, companyId, created.body.id)
      assert.equal(events.filter(({ type }) => type === `${one}.deleted`).length, 1)
      if (isSoft) {
        assert.equal(read.status, 200)
        assert.deepEqual({ ...read.body, updatedAt: '' }, { ...created.body, isDeleted: true, updatedAt: '' })
        assert.equal(again.status, 200)
        assert.equal((await call('GET', at)).text, read.text)
      } else assert.deepEqual([read.status, again.status], [404, 404])
    }
  })

  test(`${one}: a deleted record is in no list, and with includeDeleted only a flagged one is`, async () => {
    const { call } = await service.company()
    const lists = [`/v1/${contract.many}`, ...(contract.styleA ? [`/v1/api/${contract.styleA.list}`] : [])]
    const gone = (await call('POST', `/v1/${one}`, leastBody(contract))).body.id
    const kept = (await call('POST', `/v1/${one}`, leastBody(contract))).body.id
    await call('DELETE', `/v1/${one}/${gone}`)
    for (const path of lists) {
      const ids = ({ body }: { body: any }) => (Array.isArray(body) ? body : body.data).map(({ id }: Body) => id)
      assert.deepEqual(ids(await call('GET', path)), [kept])
      assert.deepEqual(ids(await call('GET', `${path}?limit=5`)), [kept])
      const all = await call('GET', `${path}?includeDeleted=true`)
      if (isSoft) assert.deepEqual(ids(all), [gone, kept])
      else assert.equal(all.status, 400)
    }
  })
}

test('customer: fromService is true exactly while there is an externalId', async () => {
  const { call } = await service.company()
  const { body: plain } = await call('POST', '/v1/customer', { email: 'ann@example.com', fromService: true })
  assert.equal(plain.fromService, false)
  const path = `/v1/customer/${plain.id}`
  assert.equal((await call('PATCH', path, { externalId: 'E-1', fromService: false })).body.fromService, true)
  assert.equal((await call('PATCH', path, { firstName: 'Ann' })).body.fromService, true)
  assert.equal((await call('PATCH', path, { externalId: null })).body.fromService, false)
  const { body: foreign } = await call('POST', '/v1/api/customers', { externalId: 'E-2' })
  assert.equal(foreign.fromService, true)
  // An empty one is none.
  assert.equal((await call('PATCH', `/v1/customer/${foreign.id}`, { externalId: '' })).body.fromService, false)
})

test('product, order, refund: fromService is false for records that a key creates, whatever the body says', async () => {
  const { call } = await service.company()
  for (const contract of ['product', 'order', 'refund'].map(contractOf)) {
    const { body } = await call('POST', `/v1/${contract.one}`, { ...fullBody(contract), fromService: true })
    assert.equal(body.fromService, false)
    const updated = await call('PATCH', `/v1/${contract.one}/${body.id}`, {
      ...fullBody(contract, 1),
      fromService: true,
    })
    assert.equal(updated.body.fromService, false)
  }
})

test('automation trigger: apiKey is a string that can be set and cleared', async () => {
  const { call } = await service.company()
  const body = { triggerType: 'new_order', triggerUrl: 'https://hooks.example.com/a', apiKey: 'secret' }
  const created = await call('POST', '/v1/automation-trigger', body)
  assert.equal(created.status, 201)
  assert.equal(created.body.apiKey, 'secret')
  const cleared = await call('PATCH', `/v1/automation-trigger/${created.body.id}`, { apiKey: null })
  assert.equal(cleared.body.apiKey, undefined)
  assert.equal((await call('POST', '/v1/automation-trigger', { ...body, apiKey: 5 })).status, 400)
})

test('the columns of all records that were written equal the records', () => assertColumns(service))

test('a long record is returned as it was sent, however many bytes its characters take', async () => {
  const { call } = await service.company()
  const lengthOf = async (text: string) => {
    const { body: created } = await call('POST', '/v1/customer', { phone: '1', metadata: [text] })
    const { body } = await call('GET', `/v1/customer/${created.id}`)
    assert.deepEqual([created.metadata, body.metadata], [[text], [text]])
    return JSON.stringify(body).length
  }
  // The space that is tried first has room for an eighth of its characters to take two bytes.
  const eighth = (await lengthOf('a'.repeat(6_000))) >> 3
  for (let wide = eighth - 3; wide <= eighth + 3; wide++) await lengthOf('ä'.repeat(wide).padStart(6_000, 'a'))
  for (const wide of ['я', '語', '😀']) await lengthOf(wide.repeat(6_000))
})
