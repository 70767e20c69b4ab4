// Events that a company sends itself: `custom.<name>` with any data, in the same feed as the events of its records.

import { newId } from '../../core/ids.ts'
import { eventNamePattern } from '../../core/json-schema.ts'
import { orThrow } from '../../core/problem.ts'
import { traceparentOf } from '../../core/trace-context.ts'
import type { Database } from '../../database/connect.ts'
import { appendEvents } from '../../engine/append-events.ts'
import { anything, map, required, text } from '../../engine/field.ts'
import { once } from '../../engine/idempotency.ts'
import { inOne } from '../../engine/many-rows.ts'
import { resource } from '../../engine/resource.ts'
import { bodySchema } from '../../engine/schema.ts'
import { isTooLarge, tooLarge } from '../../engine/writing.ts'
import type { Answer, Call } from '../../http/route.ts'

/** Characters of a custom event's name (decisions §9). */
const CUSTOM_EVENT_CHARACTERS = 100

const customResource = 'custom'

const word = text({
  max: CUSTOM_EVENT_CHARACTERS,
  description:
    'Lower-case letters, digits, points, underscores, hyphens. The type of the event is `custom.` followed by this name.',
})

/** The body of a request that sends one. */
export const customEvent = resource(
  {
    name: { one: customResource, many: customResource },
    title: 'CustomEvent',
    description: 'A custom event of the company.',
    fields: {
      name: required({ ...word, schema: { ...word.schema, pattern: eventNamePattern } }),
      data: required(map(anything(), { description: 'What the event is about; stored as it is sent.' })),
    },
    remove: 'hard',
    list: {},
    styleA: null,
    styleB: null,
    example: { name: 'shift.ended', data: { employee: 'Anne', sales: 42 } },
  },
  { showsCompany: false },
)
const { create } = bodySchema(customEvent)

/** Writes the event of a request. Throws 400 for a wrong body, 413 for an event too long for any page. */
export async function sendCustomEvent(database: Database, { scope, body, claim }: Call): Promise<Answer> {
  const { set } = orThrow(create(body))
  const data = JSON.stringify(set.data)
  if (isTooLarge(data)) throw tooLarge()
  return once(database, claim, async (connection) => {
    const id = newId()
    const type = `custom.${set.name}`
    const createdAt = new Date().toISOString()
    const traceparent = scope.trace && traceparentOf(scope.trace)
    const event = { id, type, resource: customResource, recordId: '', data, traceparent, actor: scope.actorText }
    const [sequence] = await inOne(connection, (transaction) =>
      appendEvents(transaction, scope.companyId, createdAt, [event]),
    )
    const shown = { id, sequence, type, createdAt, resource: customResource }
    return { status: 201, body: `${JSON.stringify(shown).slice(0, -1)},"actor":${scope.actorText},"data":${data}}` }
  })
}
