// Keys as their routes show them: the record, and the bodies that create, delete and rotate one; the same for all
// owners.

import { type Listed, shapesOf } from '../../engine/column-list.ts'
import { closed, deletedSchema } from '../../engine/documents.ts'
import type { Route } from '../../http/route.ts'
import { key, keyColumns, keyOf } from './keys.ts'
import { rotation } from './rotate.ts'

/** An expired key is gone, though its row may still exist. */
const listed = (owned: string): Listed => ({
  resource: key,
  table: 'api_keys',
  always: ['id', 'name', 'prefix', 'lastFour', 'permissions', 'createdAt'],
  columns: keyColumns,
  textOf: (row) => JSON.stringify(keyOf(row)),
  owned: `${owned} and (stored.delete_at is null or stored.delete_at > now())`,
})
export const ofCompany = listed('stored.company_id = $1')
export const ofOrganization = listed('stored.organization_id = $1')

const { record, create: body, example } = shapesOf(ofCompany)
const apiKey = { type: 'string', description: 'The value of the key. It is shown only here.' }
const apiKeyExample = 'posk_4fTqQ1n0w6fM0hYd0Jb1r2c3S4e5V6x9Kd'
const made = {
  ...record,
  title: 'NewKey',
  properties: { ...(record.properties as object), apiKey },
  required: [...(record.required as string[]), 'apiKey'],
}

const message = 'The key was deleted; every server now refuses it.'
/** The answer of a delete. */
export const deletedKey = (id: string) => ({ statusCode: 200, message, id })

export const creating = {
  method: 'POST',
  body: { schema: closed(body), example: { name: 'Till', permissions: ['read', 'create'] } },
  replies: {
    201: { description: 'The key, with its value.', schema: made, example: { ...example, apiKey: apiKeyExample } },
  },
  hasSecret: true,
} as const satisfies Partial<Route>

export const deleting = {
  method: 'DELETE',
  replies: { 200: { description: 'It is deleted.', schema: deletedSchema, example: deletedKey(String(example.id)) } },
} as const satisfies Partial<Route>

export const rotating = {
  method: 'POST',
  description:
    'Creates a key with the same name, permissions and expiry, and deletes the old one: at once, or at `deleteOldAt`, so that there is time to distribute the new key. Until then the old key shows `deleteAt`; after that it is refused.',
  body: rotation.document,
  replies: {
    201: {
      description: 'The new key, with its value.',
      schema: {
        ...made,
        title: 'RotatedKey',
        properties: { ...made.properties, replaces: { type: 'string', description: 'Id of the old key.' } },
        required: [...made.required, 'replaces'],
      },
      example: { ...example, apiKey: apiKeyExample, replaces: '6740a1f2c3d4e5f6a7b8c9cf' },
    },
  },
  problems: ['not_found', 'conflict'],
  hasSecret: true,
} as const satisfies Partial<Route>

/** The path parameter that names a key. */
export const keyId = { type: 'string', description: 'Id of the key.', examples: [String(example.id)] }
