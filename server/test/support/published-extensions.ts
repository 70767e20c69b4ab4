// The published list of extensions for tests: its paths, and organizations that publish on a database of their own.
import { newId } from '../../src/core/ids.ts'
import { createOrganization } from '../../src/features/tenants/tenants.ts'
import type { Body } from './contract.ts'
import type { Caller, Reply, TestService } from './service.ts'

/** The path of the list. */
export const listPath = '/v1/public/published-extensions'

/** The path of one extension. */
export const onePath = (id: string) => `/v1/public/published-extension/${id}`

/** The path of an organization's own record. */
export const organizationPath = '/v1/organization-api/organization'

/** The names in a list, in its order. */
export const names = (reply: { body: any }): string[] => reply.body.map(({ name }: Body) => name)

/** A server, with its database. */
type Server = Pick<TestService, 'url' | 'database'>

/** What reads and fills the list of a service, or of another server. */
export function publishedOn(service: Server & Pick<TestService, 'caller'>, server: () => Server = () => service) {
  return {
    /** An anonymous request. */
    get: (path: string, headers?: Record<string, string>, at: { readonly url: string } = server()): Promise<Reply> =>
      service.caller({}, at.url)('GET', path, undefined, headers),

    /** A new organization, and a call with its key. */
    async organization(name: string): Promise<{ id: string; key: string; call: Caller }> {
      const { organizationId: id, apiKey: key } = await createOrganization(server().database, { name })
      return { id, key, call: service.caller({ 'x-org-api-key': key }, server().url) }
    },

    /** Empties the list. */
    async clear(): Promise<void> {
      await server().database.query('delete from extensions')
      await server().database.query('update published_list set state = $1', [newId()])
    },
  }
}
