// A dispatcher of webhooks for one test, whose calls, notifications and statements are the test's, and what it dispatches.
import type { TestContext } from 'node:test'
import { newId } from '../../src/core/ids.ts'
import type { Database, Queryable, Row } from '../../src/database/connect.ts'
import type { NotifiedWrite } from '../../src/features/events/write-notifications.ts'
import type { CallResult, WebhookCall } from '../../src/features/webhooks/call.ts'
import { Dispatcher } from '../../src/features/webhooks/dispatcher.ts'
import { sealOf } from '../../src/seal.ts'
import { type TestService, testSettings } from './service.ts'

/** The result of a call that the receiver has taken. */
export const taken = (): CallResult => ({ at: new Date().toISOString(), status: 200, durationMs: 1 })

/** Starts a dispatcher, which ends with the test. `answer` replaces its calls, and `wake` notifies it as a write does. */
export function startDispatcher(
  t: TestContext,
  database: Database,
  answer: (call: WebhookCall) => Promise<CallResult> = async () => taken(),
) {
  const calls: WebhookCall[] = []
  const errors: unknown[] = []
  let wake: NotifiedWrite = () => {}
  const dispatcher = new Dispatcher(database, {
    seal: sealOf(testSettings.secretKeys),
    sender: {
      call: async (call) => {
        calls.push(call)
        return answer(call)
      },
      close: () => {},
    },
    notifications: {
      wake: (companyId) => wake(companyId),
      listen: (heard) => {
        wake = heard
        return () => {}
      },
      close: async () => {},
    },
    failed: (error) => errors.push(error),
  })
  t.after(() => dispatcher.stop())
  return { calls, errors, wake: (companyId?: string) => wake(companyId) }
}

/** A look at triggers that are behind is the same to a test. */
export const nameOf = (name: string) => name.replace('webhooks_idle', 'webhooks_behind')

export const newIds = (count: number) => Array.from({ length: count }, newId)

/** What tests of the dispatcher do with a service's database. */
export function dispatchOf(service: Pick<TestService, 'database'>) {
  return {
    /** A dispatcher on the service's database, or on another one. */
    dispatching: (
      t: TestContext,
      {
        answer,
        database = service.database,
      }: { answer?: (call: WebhookCall) => Promise<CallResult>; database?: Database } = {},
    ) => startDispatcher(t, database, answer),

    /** The database; `intercept` runs its named statements. */
    intercepted(
      intercept: (name: string, run: () => Promise<Row[]>, values?: readonly unknown[]) => Promise<Row[]>,
    ): Database {
      const { database } = service
      const within = ({ inTransaction, isSharded, query }: Queryable): Queryable => ({
        isSharded,
        inTransaction,
        query: (statement, values) => {
          const run = () => query(statement, values)
          return typeof statement === 'string' || statement.name === undefined
            ? run()
            : intercept(nameOf(statement.name), run, values)
        },
      })
      return {
        ...database,
        ...within(database),
        transaction: (work) => database.transaction((transaction) => work(within(transaction))),
      }
    },

    /** Companies with one trigger each, for every event. */
    async companiesWithTriggers(ids: readonly string[]): Promise<readonly string[]> {
      await addTriggers(service, ids, ids, ids)
      return ids
    },

    /** A new company with triggers for every event, whose URLs end with their numbers, from 1. */
    async companyWithTriggers(count: number): Promise<string> {
      const companyId = newId()
      const numbers = Array.from({ length: count }, (_, n) => String(n + 1))
      await addTriggers(service, Array(count).fill(companyId), newIds(count), numbers)
      return companyId
    },

    /** Events of each company that are not sent yet. */
    written: (companyIds: readonly string[], count = 1, characters = 0, within: Queryable = service.database) =>
      within.query(
        `with begun as materialized (select begin_events(id), id from unnest($1::text[]) as id)
         insert into events (company_id, id, type, created_at, resource, record_id, data, previous)
         select company_id, id, 'custom.sample', now(), 'custom', '', '{}', to_json(repeat('x', $3))
         from (select id as company_id, md5(id || n || random()) as id from begun, generate_series(1, $2) as n) as made`,
        [companyIds, count, characters],
      ),
  }
}

/** Stores triggers for every event: the company, the id and the path of the URL of each. */
const addTriggers = (
  { database }: Pick<TestService, 'database'>,
  companyIds: readonly string[],
  ids: readonly string[],
  paths: readonly string[],
) =>
  database.query(
    `insert into automation_triggers (company_id, id, body)
     select company_id, id, json_build_object('id', id, 'triggerType', '*', 'triggerUrl', 'http://127.0.0.1/' || path,
       'createdAt', $4::text, 'updatedAt', $4::text, 'companyId', company_id)
     from unnest($1::text[], $2::text[], $3::text[]) as item(company_id, id, path)`,
    [companyIds, ids, paths, new Date().toISOString()],
  )
