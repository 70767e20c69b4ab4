// GET /v1/whoami: shows the company of a company key, and what the key may do (decisions §8).

import type { JsonSchema } from '../../core/json-schema.ts'
import { Problem } from '../../core/problem.ts'
import { permissions } from '../../core/scope.ts'
import type { Database } from '../../database/connect.ts'
import type { Route } from '../../http/route.ts'

const identity: JsonSchema = {
  title: 'Identity',
  type: 'object',
  properties: {
    company: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        name: { type: 'string' },
        organizationId: { type: 'string' },
        currency: { type: 'string' },
        country: { type: 'string' },
      },
      required: ['id', 'name'],
    },
    currency: { type: 'string' },
    key: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        name: { type: 'string' },
        status: { const: 'active' },
        permissions: { type: 'array', items: { enum: permissions } },
        createdAt: { type: 'string', format: 'date-time' },
        expiresAt: { type: 'string', format: 'date-time' },
      },
      required: ['id', 'name', 'status', 'permissions', 'createdAt'],
    },
  },
  required: ['company', 'key'],
}

export function whoamiRoutes(database: Database): Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/whoami',
      surface: 'company',
      forKeys: true,
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
             'key', json_build_object('id', key.id, 'name', key.name, 'status', 'active', 'permissions', key.permissions,
               'createdAt', iso_time(key.created_at), 'expiresAt', iso_time(least(key.expires_at, key.delete_at)))))
           from api_keys as key join companies as company on company.id = key.company_id
           where key.company_id = $1 and key.id = $2`,
          [scope.companyId, scope.keyId],
        )
        if (row === undefined) throw new Problem('invalid_key', 'The key is not valid: it was just deleted.')
        return { status: 200, body: row[0] }
      },
    },
  ]
}
