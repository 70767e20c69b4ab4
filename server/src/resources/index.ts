// All resources, in the order of the reference: the place and its staff, the catalogue and its stock, the customers, the sale, and the receivers of events.
import type { Resource } from '../engine/resource.ts'
import { account } from './account.ts'
import { attachment } from './attachment.ts'
import { automationTrigger } from './automation-trigger.ts'
import { cashMovement } from './cash-movement.ts'
import { catalogVisibility } from './catalog-visibility.ts'
import { category } from './category.ts'
import { customer } from './customer.ts'
import { inventory } from './inventory.ts'
import { order } from './order.ts'
import { outlet } from './outlet.ts'
import { product } from './product.ts'
import { refund } from './refund.ts'
import { role } from './role.ts'
import { session } from './session.ts'
import { station } from './station.ts'
import { taxTable } from './tax-table.ts'
import { transaction } from './transaction.ts'
import { variant } from './variant.ts'

export const resources: readonly Resource[] = [
  outlet,
  station,
  account,
  role,
  category,
  product,
  variant,
  inventory,
  catalogVisibility,
  taxTable,
  customer,
  session,
  cashMovement,
  order,
  transaction,
  refund,
  attachment,
  automationTrigger,
]

/** A name without case and punctuation. */
export const bareName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '')

/** The resource with a name in any form: singular or plural, with any punctuation, in any case. */
export const resourceLike = (name: string, among = resources): Resource | undefined =>
  among.find(({ name: { one, many } }) => [one, many].some((other) => bareName(other) === bareName(name)))

/** The resource with a name in any form, or with one that the APIs of others give it, such as `payment`. */
export function resourceCalled(name: string, among = resources): Resource | undefined {
  const bare = bareName(name)
  const singular = [bare, bare.replace(/s$/, ''), bare.replace(/es$/, '')]
  const isCalled = ({ alsoCalled }: Resource) => alsoCalled.some((other) => singular.includes(bareName(other)))
  return resourceLike(name, among) ?? among.find(isCalled)
}
