// The table of contents: every route of the service, in the order of the reference.

import type { Logger } from 'pino'
import { fairSemaphore, type SemaphoreBounds } from './concurrency/fair-semaphore.ts'
import { companyActivity } from './concurrency/tenant-activity.ts'
import type { Seal } from './core/idempotency-claim.ts'
import { SEMAPHORES } from './core/limits.ts'
import type { Database } from './database/connect.ts'
import { documents } from './engine/documents.ts'
import { withDryRuns } from './engine/dry-run.ts'
import { type OperationSemaphores, type Operations, operations } from './engine/operations.ts'
import type { Resource } from './engine/resource.ts'
import { restoreRoutes } from './engine/restore.ts'
import { styleA } from './engine/style-a.ts'
import { styleB } from './engine/style-b.ts'
import { alertChapter, alertRoutes } from './features/alerts/routes.ts'
import { actorRoutes } from './features/console/actor-routes.ts'
import { consoleRoutes } from './features/console/assets.ts'
import { resourceRoutes } from './features/console/resource-routes.ts'
import { customerParts } from './features/custom-tables/customers.ts'
import { customTableChapters, customTableRoutes } from './features/custom-tables/routes.ts'
import { SchemaCache } from './features/custom-tables/schema-cache.ts'
import { eventChapter } from './features/events/documents.ts'
import { type FeedSubscribers, feedSubscribers as followersOf } from './features/events/feed-subscribers.ts'
import { eventResources } from './features/events/meant-type.ts'
import { eventRoutes } from './features/events/routes.ts'
import { exportJob } from './features/exports/export.ts'
import { exportRoutes } from './features/exports/routes.ts'
import { extensionChapters, extensionRoutes } from './features/extensions/routes.ts'
import type { ObjectStore } from './features/files/object-store.ts'
import { fileRoutes } from './features/files/routes.ts'
import { healthRoutes } from './features/health/routes.ts'
import { importJob } from './features/imports/import.ts'
import { importRoutes } from './features/imports/routes.ts'
import { lowStockRoutes } from './features/inventory/low-stock-route.ts'
import { inventoryRoutes } from './features/inventory/routes.ts'
import { stockValueRoutes } from './features/inventory/stock-value.ts'
import type { KeyRequestLog } from './features/keys/request-log.ts'
import { keyRequestRoutes } from './features/keys/request-routes.ts'
import { whoamiRoutes } from './features/keys/whoami.ts'
import { noOutbox, type Outbox } from './features/mail/outbox.ts'
import { type AskItself, mcpRoutes } from './features/mcp/routes.ts'
import type { OpenIdProvider } from './features/openid/provider.ts'
import { peopleChapters, peopleRoutes } from './features/people/routes.ts'
import { isLimited, limitedOperations } from './features/plan-limits/limited.ts'
import { answeringLimit, type PlanLimits, planLimits } from './features/plan-limits/plan-limits.ts'
import { referenceChapter, referenceRoutes } from './features/reference/routes.ts'
import { reportChapter } from './features/reports/documents.ts'
import { reportRoutes } from './features/reports/routes.ts'
import { sale } from './features/sales/body.ts'
import { orderRoutes } from './features/sales/order-routes.ts'
import { quoteRoutes } from './features/sales/quote-route.ts'
import { saleRoutes } from './features/sales/routes.ts'
import { searchChapter, searchRoutes } from './features/search/routes.ts'
import { alertingSessions } from './features/sessions/difference.ts'
import { closingRoutes, sessionRoutes } from './features/sessions/routes.ts'
import { tenantChapters, tenantRoutes } from './features/tenants/routes.ts'
import { deliveryRoutes } from './features/webhooks/delivery-routes.ts'
import { webhookChapter, webhookDocuments } from './features/webhooks/documents.ts'
import { type Targets, targetChecked, targets } from './features/webhooks/target.ts'
import { triggerOperations } from './features/webhooks/triggers.ts'
import { legacyPrefix } from './http/auth/api-key.ts'
import { type Chapters, openApiDocument } from './http/openapi/document.ts'
import { sdkDocument } from './http/openapi/sdk-document.ts'
import type { Call, Route } from './http/route.ts'
import { automationTrigger } from './resources/automation-trigger.ts'
import { closing } from './resources/closing.ts'
import { customer } from './resources/customer.ts'
import { resources } from './resources/index.ts'
import { inventory } from './resources/inventory.ts'
import { inventoryHistory } from './resources/inventory-history.ts'
import { order } from './resources/order.ts'
import { productOperations } from './resources/priced-products.ts'
import { product } from './resources/product.ts'
import { refund } from './resources/refund.ts'
import { session, sessionTakingOver } from './resources/session.ts'
import { transaction } from './resources/transaction.ts'
import { webhookDelivery } from './resources/webhook-delivery.ts'

const chapters: Chapters = {
  ...referenceChapter,
  'Keys and health': 'Whether the service is up, and what a key gives access to.',
  ...searchChapter,
  ...Object.fromEntries(
    [...resources, sale, closing, inventoryHistory, webhookDelivery, importJob, exportJob].map(
      ({ title, description }) => [title, description],
    ),
  ),
  ...customTableChapters,
  ...tenantChapters,
  ...extensionChapters,
  ...eventChapter,
  ...reportChapter,
  ...alertChapter,
  ...peopleChapters,
  ...webhookChapter,
}

/** The calls that automation triggers make. */
const webhooks = webhookDocuments(eventResources)

/** The routes of a resource in both path styles. */
const bothStyles = (own: Operations): Route[] => [
  ...styleB(own).map((route): Route => ({ ...route, alsoCalled: own.resource.alsoCalled })),
  ...styleA(own),
]

/** Routes that show or change records of any resource, so that keys which are limited to some may not call them (decision 82). */
const ofAnyResource = (routes: readonly Route[]): Route[] =>
  routes.map((route): Route => ({ ...route, limitedKeys: 'never' }))

/** What routes need besides the database; the caller closes what has to be closed. */
interface Foundations {
  /** Size limits of the statements of all lists together. */
  readonly listBounds: SemaphoreBounds
  readonly schemas: SchemaCache
  readonly plans: PlanLimits
  /** Subscribers that wait for events. */
  readonly followers: FeedSubscribers
  readonly seal: Seal
  /** Where files of attachments are, unless they are in the database. */
  readonly objects?: ObjectStore | undefined
  /** Where webhooks may be called. */
  readonly callable: Targets
  /** Called with companies that have something to be sent. */
  readonly wake: (companyId: string) => void
  /** Where files of imports are stored, and what is called when there are some to be checked or run. */
  readonly imports: { readonly stored?: Database; readonly wake: () => void }
  /** Called when there is an export to be written. */
  readonly wakeExports: () => void
  /** Where this process notes requests of keys; it is written before the log is read. */
  readonly keyRequests?: KeyRequestLog | undefined
  /** Whether the service has been asked to end. */
  readonly isDraining: () => boolean
  /** Called with companies whose reports are incomplete. */
  readonly sumUp: (companyId: string) => void
  /** Where mails are put. */
  readonly outbox: Outbox
  /** Where people sign in too; absent: nowhere else, and the routes of it are only read. */
  readonly provider?: OpenIdProvider | undefined
  /** Where it is noted who changed what is required of sign-ins. */
  readonly log?: Logger | undefined
  /** Makes a request of the server that serves these routes. */
  readonly askItself: AskItself
}

/** The operations that make up sales. They write the state of their orders themselves. */
const saleParts = (database: Database, semaphores: OperationSemaphores) => ({
  orders: operations(order, database, semaphores),
  transactions: operations({ ...transaction, sideEffects: undefined }, database, semaphores),
  refunds: operations({ ...refund, sideEffects: undefined }, database, semaphores),
})

/** What routes are made of that can be made over a dry run's connection too. */
interface OwnParts extends OperationSemaphores, Pick<Foundations, 'schemas' | 'plans' | 'seal' | 'callable'> {
  readonly database: Database
  readonly customers: Pick<ReturnType<typeof customerParts>, 'operations'>
}

/** The parts of a dry run: it looks up no names. */
const dryParts = (own: Omit<OwnParts, 'customers'>): OwnParts => ({
  ...own,
  callable: { ...own.callable, resolvedRefusal: async (url) => own.callable.refusal(url) },
  customers: customerParts(own.database, own, own.schemas),
})

function resourceRoutesOf(resource: Resource, own: OwnParts): Route[] {
  const { database, plans } = own
  const whole = limitedOperations(operationsOf(resource, own), database, plans, own)
  const all = [
    ...(resource === session
      ? sessionRoutes(bothStyles, whole, operationsOf(sessionTakingOver, own))
      : bothStyles(whole)),
    ...(resource === session ? closingRoutes(database, own) : []),
    ...(resource === inventory ? inventoryRoutes(database, own) : []),
    ...(resource === customer ? restoreRoutes(whole) : []),
  ]
  // A trigger sends records of any resource.
  if (resource === automationTrigger) return ofAnyResource(all)
  return isLimited(resource) ? all.map(answeringLimit) : all
}

function operationsOf(resource: Resource, own: OwnParts): Operations {
  const { database, customers, seal, callable } = own
  if (resource === customer) return customers.operations
  if (resource === product) return productOperations(database, own)
  if (resource === automationTrigger) return targetChecked(triggerOperations(database, own, seal), callable)
  if (resource === session || resource === sessionTakingOver)
    return operations(alertingSessions(resource), database, own)
  return operations(resource, database, own)
}

/** The routes of sales, their refunds and quotes. */
function salesRoutes(own: OwnParts): Route[] {
  const { database, customers, contended } = own
  const parts = { ...saleParts(database, own), customers: customers.operations }
  return [
    ...saleRoutes(database, parts, contended),
    ...orderRoutes(database, parts, contended),
    ...quoteRoutes(database),
  ]
}

/** All routes over one database. */
export function allRoutes(
  database: Database,
  {
    listBounds = SEMAPHORES.list,
    schemas = new SchemaCache(database),
    plans = planLimits(database),
    followers = followersOf(),
    seal = noSeal,
    objects,
    callable = targets({ allowed: [] }),
    wake = () => {},
    imports = { wake: () => {} },
    wakeExports = () => {},
    outbox = noOutbox,
    provider,
    log,
    keyRequests,
    sumUp = () => {},
    askItself = () => Promise.reject(new Error('These routes have no server.')),
    isDraining = () => false,
  }: Partial<Foundations> = {},
): Route[] {
  const lists = fairSemaphore(listBounds, companyActivity)
  const contended = fairSemaphore(SEMAPHORES.contended, companyActivity)
  const semaphores = { lists, contended }
  const customers = customerParts(database, semaphores, schemas)
  const shared = { lists, schemas, plans, seal, callable }
  /** Routes whose writes can be tried; `isDry` says which, where it is not all. */
  const tried = (make: (own: OwnParts) => Route[], isDry?: (route: Route) => boolean): Route[] =>
    withDryRuns(
      { database, contended },
      (own) => make(own.database === database ? { ...shared, ...own, customers } : dryParts({ ...shared, ...own })),
      isDry,
    )
  const resourcesOf = async ({ scope }: Pick<Call, 'scope'>) => {
    const own = await customers.resourceFor(scope)
    return resources.map((resource) => (resource === customer ? own : resource))
  }
  const routes = [
    ...healthRoutes(database, isDraining),
    ...whoamiRoutes(database),
    ...ofAnyResource(searchRoutes(database, semaphores)),
    ...resources.flatMap((resource) => tried((own) => resourceRoutesOf(resource, own))),
    ...tried(salesRoutes, ({ path }) => path !== '/v1/sale/quote'),
    ...ofAnyResource(deliveryRoutes(database, semaphores, wake)),
    ...eventRoutes(database, semaphores, followers),
    ...reportRoutes(database, semaphores, sumUp),
    ...lowStockRoutes(database, semaphores),
    ...stockValueRoutes(database, semaphores),
    ...ofAnyResource(importRoutes(database, semaphores, imports)),
    ...ofAnyResource(exportRoutes(database, semaphores, wakeExports)),
    ...fileRoutes(database, { stored: imports.stored ?? database, seal, objects }),
    ...tried((own) => customTableRoutes(own.database, own, own.schemas)),
    // A key is shown once, and a dry run has no secret to show.
    ...tried(
      (own) => tenantRoutes(own.database, own.plans),
      ({ tag }) => tag !== 'Keys',
    ),
    ...keyRequestRoutes(database, keyRequests),
    ...extensionRoutes(database, semaphores.lists),
    ...alertRoutes(database, outbox),
    ...peopleRoutes(database, seal, outbox, provider, log),
    ...mcpRoutes(askItself),
    ...actorRoutes(database),
    ...resourceRoutes(resourcesOf, customer),
    ...consoleRoutes({ provider: provider?.label, sendsMail: outbox.isOn }),
  ]
  const all: Route[] = [
    ...routes,
    // The document lists its own path too.
    ...referenceRoutes(
      (shown) => (shown ? openApiDocument(shown, chapters) : openApiDocument(all, chapters, webhooks)),
      customers.routesFor,
    ),
  ]
  return all
}

/** For routes that are only read, not called. */
const noSeal: Seal = {
  close: () => {
    throw new Error('There is nothing to seal with.')
  },
  open: () => {
    throw new Error('There is nothing to open with.')
  },
}

/** The OpenAPI document of all routes, without a database: the routes are only read. */
export const apiDocument = () => openApiDocument(allRoutes({} as Database), chapters, webhooks)

/** The document that client libraries are generated from: of a chapter in both styles, Style B. */
export function apiSdkDocument() {
  const routes = allRoutes({} as Database)
  const isStyleA = ({ path }: Route) => path.startsWith(legacyPrefix)
  const inStyleB = new Set(routes.filter((route) => !isStyleA(route)).map(({ tag }) => tag))
  const own = routes.filter((route) => !isStyleA(route) || !inStyleB.has(route.tag))
  const events = eventResources.flatMap((resource) =>
    resource.eventTypes.map((type) => [type, documents(resource).type]),
  )
  return sdkDocument(openApiDocument(own, chapters), Object.fromEntries(events))
}
