// Members of companies and organizations for tests, and what owners do with them.
import { newId } from '../../src/core/ids.ts'
import { createCompany, createOrganization } from '../../src/features/tenants/tenants.ts'
import { type Browser, type Place, password, tokenIn } from './people.ts'
import type { Reply, TestService } from './service.ts'

/** The path of the members of a place. */
export const pathIn = (place: Place) => ('companyId' in place ? '/v1/members' : '/v1/organization-api/members')

/** An owner's actions on members of a place. */
export function membersOf(browser: Browser, place: Place) {
  const call = browser.about(place)
  const path = pathIn(place)
  return {
    list: async (): Promise<any[]> => (await call('GET', path)).body.data,
    add: (body: object, existing?: string) => call('POST', existing ? `${path}?existing=${existing}` : path, body),
    change: (id: string, role: string) => call('PATCH', `${path}/${id}`, { role }),
    remove: (id: string) => call('DELETE', `${path}/${id}`),
    link: (id: string) => call('POST', `${path}/${id}/link`),
  }
}

/** An address of no user. */
export const someone = () => `${newId()}@members.example`

/** What makes places on a service, and finds and uses what owners have made there. */
export const placesOn = (service: Pick<TestService, 'database' | 'caller'>) => ({
  /** An organization with two companies of its own. */
  async chain() {
    const { organizationId } = await createOrganization(service.database, {
      name: 'Chain',
      ownerEmail: 'a@chain.example',
    })
    const company = async (): Promise<{ readonly companyId: string }> => {
      const { companyId } = await createCompany(service.database, { name: 'Shop', currency: 'EUR', organizationId })
      return { companyId }
    }
    return { organization: { organizationId }, one: await company(), two: await company() }
  },

  /** Sets the password of a link's user. */
  use: (link: string, chosen = password): Promise<Reply> =>
    service.caller()('POST', '/v1/console/link/use', { token: tokenIn(link), password: chosen }),

  /** The id of a person's membership. */
  async memberId(userId: string, place: Place): Promise<string> {
    const column = 'companyId' in place ? 'company_id' : 'organization_id'
    const [row] = await service.database.query(`select id from members where user_id = $1 and ${column} = $2`, [
      userId,
      Object.values(place)[0],
    ])
    return row?.[0]
  },
})
