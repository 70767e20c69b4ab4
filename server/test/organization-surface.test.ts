// What holds for all that an organization does with its key: nothing of another organization is reached, each verb needs its permission, and keys of idempotency apply.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Permission, permissions } from '../src/core/scope.ts'
import { organizationsOf, root } from './support/organizations.ts'
import { assertProblem } from './support/problem.ts'
import { noId } from './support/routes.ts'
import { type Reply, sharedService } from './support/service.ts'

const service = sharedService()
const { organization, onboarded, keyOf } = organizationsOf(service)

test('nothing of another organization can be reached, and unknown ids get the same answer', async () => {
  const mine = await organization()
  const theirs = await organization()
  const company = await onboarded(theirs.call)
  const plan = (await theirs.call('POST', `${root}/plans`, { name: 'Theirs' })).body.id
  const keys = `${root}/companies/${company.id}/keys`
  const key = (await theirs.call('POST', keys, { name: 'Theirs', permissions })).body.id
  const before = JSON.stringify([
    await theirs.call('GET', `${root}/companies`).then(({ text }) => text),
    await theirs.call('GET', keys).then(({ text }) => text),
    await theirs.call('GET', `${root}/plans`).then(({ text }) => text),
    await theirs.call('GET', `${root}/keys`).then(({ body }) => body.meta),
  ])
  const own = await onboarded(mine.call)
  const body = { name: 'Mine', permissions: ['read'] }
  for (const [method, path, sent] of [
    ['GET', `${root}/companies/ID`, undefined, company.id],
    ['PATCH', `${root}/companies/ID`, { name: 'Mine', status: 'suspended' }, company.id],
    ['GET', `${root}/companies/ID/keys`, undefined, company.id],
    ['POST', `${root}/companies/ID/keys`, body, company.id],
    ['DELETE', `${root}/companies/ID/keys/${key}`, undefined, company.id],
    ['DELETE', `${root}/companies/${own.id}/keys/ID`, undefined, key],
    ['GET', `${root}/plans/ID`, undefined, plan],
    ['PATCH', `${root}/plans/ID`, { name: 'Mine' }, plan],
    ['DELETE', `${root}/keys/ID`, undefined, theirs.keyId],
    ['DELETE', `${root}/keys/ID`, undefined, key],
  ].map(([method, path, sent, id]) => [method, [String(path).replace('ID', String(id)), String(path)], sent]) as [
    string,
    string[],
    object | undefined,
  ][]) {
    const [at = '', pattern = ''] = path
    const reply = assertProblem(await mine.call(method, at, sent), 404, 'not_found', at)
    const none = assertProblem(await mine.call(method, pattern.replace('ID', noId), sent), 404, 'not_found')
    assert.equal(reply.message.replaceAll(/"[0-9a-f]{24}"/g, ''), none.message.replaceAll(/"[0-9a-f]{24}"/g, ''))
    for (const id of ['x', '%00', '%F0%9F%98%80', "'%20or%20true--", noId.slice(1)])
      assertProblem(await mine.call(method, pattern.replace('ID', id), sent), 404, 'not_found', id)
  }
  for (const list of ['companies', 'plans', 'keys', `companies/${own.id}/keys`]) {
    const { text } = await mine.call('GET', `${root}/${list}`)
    for (const id of [company.id, plan, key, theirs.id]) assert.ok(!text.includes(id), list)
  }
  const after = JSON.stringify([
    await theirs.call('GET', `${root}/companies`).then(({ text }) => text),
    await theirs.call('GET', keys).then(({ text }) => text),
    await theirs.call('GET', `${root}/plans`).then(({ text }) => text),
    await theirs.call('GET', `${root}/keys`).then(({ body }) => body.meta),
  ])
  assert.equal(after, before)
})

test('each verb needs its permission', async () => {
  const { id, call } = await organization()
  const company = await onboarded(call)
  const requests: [string, string, Permission, object?][] = [
    ['GET', `${root}/companies`, 'read'],
    ['GET', `${root}/companies/${company.id}`, 'read'],
    ['PATCH', `${root}/companies/${company.id}`, 'update', {}],
    ['POST', `${root}/plans`, 'create', { name: 'a' }],
    ['DELETE', `${root}/keys/${noId}`, 'delete'],
  ]
  for (const permission of permissions) {
    const key = await keyOf(id, [permission])
    for (const [method, path, needed, body] of requests) {
      const reply = await key.call(method, path, body)
      if (needed === permission) assert.notEqual(reply.status, 403, reply.text)
      else assertProblem(reply, 403, 'permission_denied')
    }
  }
})

test('writes under an Idempotency-Key are done once: a plan, a key, a change', async () => {
  const { call } = await organization()
  const company = await onboarded(call)
  for (const [method, path, body, status] of [
    ['POST', `${root}/plans`, { name: 'Once' }, 201],
    ['POST', `${root}/keys`, { name: 'Once', permissions: ['read'] }, 201],
    ['PATCH', `${root}/companies/${company.id}`, { name: 'Once' }, 200],
  ] as const) {
    const headers = { 'idempotency-key': path }
    const replies = await Promise.all(Array.from({ length: 5 }, () => call(method, path, body, headers)))
    const first = replies.find((reply) => reply.status === status) as Reply
    for (const reply of replies)
      if (reply.status !== status) assertProblem(reply, 409, 'idempotency_in_progress')
      else assert.equal(reply.text, first.text)
    assert.equal((await call(method, path, body, headers)).text, first.text)
  }
  assert.equal((await call('GET', `${root}/plans?searchByName=Once`)).body.meta.count, 1)
  assert.equal((await call('GET', `${root}/keys?searchByName=Once`)).body.meta.count, 1)
})
