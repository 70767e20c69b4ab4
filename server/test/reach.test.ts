// Lists all work that reaches everything where row-level security is on. All other work reaches only the rows of its
// companies.
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { allRoutes } from '../src/app.ts'
import { areReachesKept, keepReaches } from '../src/core/reach.ts'
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

/** Everything in reach, and the ways of a database to the rights of its owner. */
const ownersWays =
  /\breachingEverything\(|[dD]atabase\??\.(owner|reserved|connectAlone)\b|\bparts\.owner\b|{[^{}]*\b(owner|reserved|connectAlone)\b[^{}]*}(: Database\b| = \w*[dD]atabase\b)/

test('only what is named takes the rights of the owner of the tables, or everything in reach', async () => {
  const named = new Set<string>()
  for await (const file of glob('server/src/**/*.ts')) {
    const path = file.slice('server/src/'.length)
    // What opens databases, migrates and backs them up is theirs; so is the command line.
    if (/^(core\/reach|database\/|commands\/)/.test(path)) continue
    if (ownersWays.test(await readFile(file, 'utf8'))) named.add(path)
  }
  assert.deepEqual([...named].sort(), [
    // Batches of requests that have everything in reach.
    'concurrency/batch.ts',
    // Its transaction has the reach of its request.
    'engine/dry-run.ts',
    // Statistics of tables, of all companies together.
    'engine/lists/list.ts',
    // The extensions that companies have published, for everybody.
    'features/extensions/published.ts',
    // Whether the database answers.
    'features/health/routes.ts',
    // Keys and sign-ins, before a company is known.
    'features/keys/key-cache.ts',
    'features/people/sign-ins.ts',
    // Looks over all companies for those whose reports are in use.
    'features/reports/sums/refresh.ts',
    // Requests without a company, and the routes above.
    'http/call-reach.ts',
    // Keys, sign-ins, plans, and the work in the background.
    'service.ts',
  ])
})

test('code has a reach only while a database of its process keeps companies apart', () => {
  const before = areReachesKept()
  const forgetFirst = keepReaches()
  const forgetSecond = keepReaches()
  forgetFirst()
  forgetFirst()
  assert.equal(areReachesKept(), true)
  forgetSecond()
  assert.equal(areReachesKept(), before)
})
