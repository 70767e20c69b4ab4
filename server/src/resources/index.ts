// All resources, in the order in which the reference tells of a shop: the place and who works there, the catalogue and its stock, who buys, the sale, and who else hears of it.
import type { Resource } from '../engine/resource.ts'
import { account } from './account.ts'
import { attachment } from './attachment.ts'
import { automationTrigger } from './automation-trigger.ts'
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
  customer,
  session,
  order,
  transaction,
  refund,
  attachment,
  automationTrigger,
]
