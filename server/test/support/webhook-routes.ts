// Requests for the routes of deliveries, as the sweeps need them: each with the trigger and the delivery that have to be there before it.
import type { Route } from '../../src/http/route.ts'
import type { Body } from './contract.ts'
import { deliver, makeTrigger, triggers } from './deliveries.ts'
import type { Company, TestService } from './service.ts'

/** True of the log of a trigger, and of its actions. */
export const isOfDeliveries = ({ path }: Pick<Route, 'path'>): boolean =>
  triggers.some((at) => path.startsWith(`${at}/{id}/`))

/** A request that succeeds, and the list that shows its work. */
export async function deliveryRequest(
  service: TestService,
  company: Company,
  { path, body }: Route,
): Promise<{ path: string; body?: Body; list: string }> {
  const { id } = await makeTrigger(company)
  const delivery = await deliver(service, company, id)
  return {
    path: path.replace('{id}', id).replace('{deliveryId}', delivery.id),
    ...(body && { body: body.example as Body }),
    list: `${triggers[0]}/${id}/deliveries`,
  }
}
