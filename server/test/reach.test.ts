// Where row-level security is on, what is carried out with everything in reach is named here: the rest reaches the rows of its companies alone.
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { allRoutes } from '../src/app.ts'
import type { Database } from '../src/database/connect.ts'

test('routes of a company that reach everything are about people and what they may do, and no others', () => {
  const routes = allRoutes({} as Database).filter(({ surface }) => surface === 'company')
  const named = routes.flatMap(({ reachesEverything, operationId }) => (reachesEverything ? [operationId] : []))
  assert.deepEqual(named.sort(), [
    'createMember',
    'createOwnKey',
    'deleteMember',
    'deleteOwnKey',
    'linkMember',
    'listActors',
    'listAlerts',
    'listMembers',
    'listOwnKeys',
    'readAlerts',
    'readSignInRules',
    'rotateOwnKey',
    'updateMember',
    'updateSignInRules',
  ])
  assert.ok(routes.length > 250, String(routes.length))
})

test('only what is named takes the rights of the owner of the tables, or everything in reach', async () => {
  const named = new Set<string>()
  for await (const file of glob('server/src/**/*.ts')) {
    const text = await readFile(file, 'utf8')
    if (
      /\breachingEverything\(|\b(database|parts)\.owner\b|{ owner } = database|reserved, owner }/.test(text) &&
      !file.endsWith('/core/reach.ts')
    )
      named.add(file.slice('server/src/'.length))
  }
  assert.deepEqual([...named].sort(), [
    // Batches of requests that have everything in reach.
    'concurrency/batch.ts',
    // Its transaction has the reach of its request.
    'engine/dry-run.ts',
    // Looks over all companies for those whose reports are in use.
    'features/reports/refresh.ts',
    // Requests without a company, and the routes above.
    'http/call-reach.ts',
    // Keys, sign-ins, plans, and the work in the background.
    'service.ts',
  ])
})
