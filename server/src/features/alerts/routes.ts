// The routes of alerts: what the bell of the console shows, and what each person wants to get.

import type { Database } from '../../database/connect.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { body } from '../../engine/body.ts'
import { done, doneSchema } from '../../engine/documents.ts'
import { flag, list, object as objectOf, reference } from '../../engine/field.ts'
import { type Call, json, type Route } from '../../http/route.ts'
import type { Outbox } from '../mail/outbox.ts'
import { consoleTag as consoleTitle } from '../people/bodies.ts'
import { personOf } from '../people/sign-ins.ts'
import { alertKinds } from './alert.ts'
import { alertsExample, alertsSchema, settingsExample, settingsSchema } from './documents.ts'
import { alertsFor, changeSetting, markRead, settingsOf, type Ways } from './stored.ts'

const tag = 'Alerts'
/** The chapter of alerts. */
export const alertChapter = {
  [tag]:
    'What needs the attention of a company’s people: failing webhooks, imports that ended, low stock, and sessions closed with a difference. For people who are signed in.',
}

const read = body(
  'AlertsRead',
  {},
  { ids: list(reference({ description: 'The id of an alert.' }), { description: 'The alerts; all if absent.' }) },
  { ids: ['6740a1f2c3d4e5f6a7b8c9f1'] },
)

const ways = (kind: string) =>
  objectOf(
    {
      bell: flag({ description: 'Whether the bell shows this kind.' }),
      mail: flag({ description: 'Whether this kind is mailed.' }),
    },
    { description: `What changes for the kind \`${kind}\`.` },
  )
const changed = body('AlertSettingsChange', {}, Object.fromEntries(alertKinds.map((kind) => [kind, ways(kind)])), {
  stock: { mail: false },
})

// The settings of a person belong to no company.
const common = {
  surface: 'company',
  tag,
  forPeople: 'viewer',
  reachesEverything: true,
} as const satisfies Partial<Route>
const settings = { surface: 'person', tag: consoleTitle, path: '/v1/console/alert-settings' } as const
const settingsReply = {
  200: { description: 'What the person gets.', schema: settingsSchema, example: settingsExample },
}
const marked = 'The alerts are marked as read.'

/** The routes. */
export function alertRoutes(database: Database, outbox: Outbox): Route[] {
  const answer = async (call: Call) =>
    json({ ...(await settingsOf(database, personOf(call).id)), isMailOn: outbox.isOn })
  return [
    {
      ...common,
      method: 'GET',
      path: '/v1/alerts',
      operationId: 'listAlerts',
      summary: 'List the alerts of the company',
      description:
        'The newest first, of the kinds that the person has not switched off in the bell. A condition that lasts is one alert, which recovers when the condition ends. A recovered alert is removed after 7 days, and an alert about a single event after 30.',
      replies: { 200: { description: 'The alerts.', schema: alertsSchema, example: alertsExample } },
      handle: async (call) => json(await alertsFor(database, call.scope.companyId, personOf(call).id)),
    },
    {
      ...common,
      method: 'POST',
      path: '/v1/alerts/read',
      operationId: 'readAlerts',
      summary: 'Mark alerts as read',
      description:
        'Applies to the signed-in person only. An alert becomes unread again when it has news. Unknown ids are ignored.',
      body: read.document,
      replies: { 200: { description: 'They are marked.', schema: doneSchema, example: done(marked) } },
      handle: async (call) => {
        const { ids } = read.read(call.body)
        await markRead(database, call.scope.companyId, personOf(call).id, ids)
        return json(done(marked))
      },
    },
    {
      ...settings,
      method: 'GET',
      operationId: 'readAlertSettings',
      summary: 'See which alerts you get',
      replies: settingsReply,
      handle: answer,
    },
    {
      ...settings,
      method: 'PATCH',
      operationId: 'changeAlertSettings',
      summary: 'Choose which alerts you get',
      description: 'Applies to all companies of the person. Kinds and channels that you leave out do not change.',
      body: changed.document,
      replies: settingsReply,
      handle: async (call) => {
        const wanted = changed.read(call.body) as Partial<Record<string, Partial<Ways>>>
        await retriedTransaction(database, async (transaction) => {
          for (const kind of alertKinds)
            if (wanted[kind] !== undefined) await changeSetting(transaction, personOf(call).id, kind, wanted[kind])
        })
        return answer(call)
      },
    },
  ]
}
