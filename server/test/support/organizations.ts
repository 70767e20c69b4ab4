// Organizations for tests: with a key, onboarded companies, further keys, and a second server.
import assert from 'node:assert/strict'
import type { Permission } from '../../src/core/scope.ts'
import { createKey } from '../../src/features/keys/key-store.ts'
import { createOrganization } from '../../src/features/tenants/tenants.ts'
import { startService } from '../../src/service.ts'
import { testConnection } from './database.ts'
import { type Caller, type Reply, type TestService, testSettings } from './service.ts'

/** The path of the organization surface. */
export const root = '/v1/organization-api'

/** The path that creates companies. */
export const onboard = `${root}/company/company-workflow/onboard`

/** The names of a list's records. */
export const names = (reply: Reply): string[] => reply.body.data.map(({ name }: any) => name)

/** Repeats until the response matches: the notification takes one trip through PostgreSQL. */
export async function untilStatus(ask: () => Promise<Reply>, status: number): Promise<Reply> {
  for (let tries = 0; tries < 2_000; tries++) {
    const reply = await ask()
    if (reply.status === status) return reply
  }
  return assert.fail(`is never answered ${status}`)
}

/** A new organization with a name, and calls with its key. */
export async function organizationNamed({ database, caller }: Pick<TestService, 'database' | 'caller'>, name: string) {
  const { organizationId: id, apiKey: key } = await createOrganization(database, { name })
  return { id, key, call: caller({ 'x-org-api-key': key }) }
}

/** What makes organizations, and what belongs to them, on a service. */
export function organizationsOf(service: Pick<TestService, 'database' | 'caller'>) {
  return {
    /** A new organization with an owner, and a call with its key. */
    async organization() {
      const made = await createOrganization(service.database, { name: 'Chain', ownerEmail: 'boss@chain.example' })
      const { organizationId: id, planId, apiKey: key, keyId } = made
      return { id, planId, key, keyId, call: service.caller({ 'x-org-api-key': key }) }
    },

    /** A company of an organization, by its record, once it is registered at the payment processor. Then the record is stable. */
    async onboarded(call: Caller, body: object = {}): Promise<any> {
      const reply = await call('POST', onboard, { name: 'Shop', ...body })
      assert.equal(reply.status, 200, reply.text)
      const read = async () => {
        const next = await call('GET', `${root}/companies/${reply.body.id}`)
        return next.body.paymentCustomer.state === 'done' ? next : { ...next, status: 0 }
      }
      return (await untilStatus(read, 200)).body
    },

    /** A further key of an organization. */
    async keyOf(organizationId: string, allowed: readonly Permission[], expiresAt?: string) {
      const wanted = { name: 'Key', permissions: allowed, expiresAt }
      const { id, value } = await createKey(service.database, { organizationId }, wanted)
      return { id, call: service.caller({ 'x-org-api-key': value }) }
    },

    /** A second server on the same database. */
    async otherServer(t: { after: (close: () => Promise<void>) => void }): Promise<string> {
      const [row] = await service.database.query('select current_database()')
      const other = await startService({ ...testConnection(), database: row?.[0] }, testSettings)
      t.after(() => other.close())
      return other.url
    },
  }
}
