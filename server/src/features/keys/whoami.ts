// GET /v1/whoami: shows the company of a company key, and what the key may do (decisions §8).

import { type JsonSchema, object, string, time } from '../../core/json-schema.ts'
import { Problem } from '../../core/problem.ts'
import { permissions } from '../../core/scope.ts'
import type { Database } from '../../database/connect.ts'
import { ok, type Route } from '../../http/route.ts'

const currency: JsonSchema = string('ISO 4217 code of the company’s amounts.', 'EUR')

const identity: JsonSchema = object(
  'Identity',
  {
    company: {
      title: 'IdentityCompany',
      type: 'object',
      description: 'The company that the key gives access to.',
      properties: {
        id: string('Identifies the company: `companyId` of its records.'),
        name: string('Display name of the company.'),
        organizationId: string('The organization that onboarded the company.'),
        currency,
        country: string('ISO 3166-1 alpha-2 code; absent if the company has none.'),
      },
      required: ['id', 'name'],
    },
    currency,
    key: {
      title: 'IdentityKey',
      type: 'object',
      description: 'The key that the request was sent with.',
      properties: {
        id: string('Identifies the key; it is not the value of the key.'),
        name: string('Display name of the key.'),
        status: { const: 'active', description: 'Always `active`: any other key is refused.' },
        permissions: { type: 'array', items: { enum: permissions }, description: 'What the key may do.' },
        resources: {
          type: 'array',
          items: { type: 'string' },
          description: 'The only resources that the key gives access to; absent if it gives access to all.',
        },
        createdAt: time('When the key was made, in UTC.'),
        expiresAt: time('When the key stops working; absent if never.'),
      },
      required: ['id', 'name', 'status', 'permissions', 'createdAt'],
    },
  },
  ['company', 'key'],
)

export function whoamiRoutes(database: Database): Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/whoami',
      surface: 'company',
      forKeys: true,
      limitedKeys: 'always',
      operationId: 'whoami',
      tag: 'Keys and health',
      summary: 'See which company a key belongs to',
      replies: {
        200: {
          description: 'The company, its currency, and the key.',
          schema: identity,
          example: {
            company: {
              id: '6740a1f2c3d4e5f6a7b8c900',
              name: 'Corner Shop',
              organizationId: '6740a1f2c3d4e5f6a7b8c901',
              currency: 'EUR',
            },
            currency: 'EUR',
            key: {
              id: '6740a1f2c3d4e5f6a7b8c902',
              name: 'ERP',
              status: 'active',
              permissions: ['read', 'create'],
              createdAt: '2026-11-21T09:30:00.000Z',
            },
          },
        },
      },
      handle: async ({ scope }) => {
        const [row] = await database.query(
          `select json_strip_nulls(json_build_object(
             'company', json_build_object('id', company.id, 'name', company.name, 'organizationId', company.organization_id,
               'currency', company.currency, 'country', company.country),
             'currency', company.currency,
             'key', json_build_object('id', key.id, 'name', key.name, 'status', 'active', 'permissions', key.permissions, 'resources', key.resources,
               'createdAt', iso_time(key.created_at), 'expiresAt', iso_time(least(key.expires_at, key.delete_at)))))
           from api_keys as key join companies as company on company.id = key.company_id
           where key.company_id = $1 and key.id = $2`,
          [scope.companyId, scope.keyId],
        )
        if (row === undefined) throw new Problem('invalid_key', 'The key is not valid: it was just deleted.')
        return ok(row[0])
      },
    },
  ]
}
