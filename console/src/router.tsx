// The routes of the console: which page is at which address, each in its own chunk.
import type { QueryClient } from '@tanstack/react-query'
import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { companyQuery, useParam } from './api/company.ts'
import { organizationListQuery } from './api/organization.ts'
import { ApiProblem, asProblem } from './api/problem.ts'
import { isReachable } from './api/request.ts'
import { pathOf, resourcesQuery } from './api/resources.ts'
import type { SignIn } from './api/schemas.ts'
import { signInQuery } from './api/sign-in.ts'
import { PageFailure } from './parts/Failure.tsx'
import { PageSkeleton, ShellSkeleton } from './parts/Skeletons.tsx'
import { NotFound } from './shell/NotFound.tsx'
import { SuspendedBanner } from './shell/SuspendedBanner.tsx'
import { text } from './texts/shell.ts'

/**
 * A page in its own chunk. While the server cannot be reached, that is its failure: for any other one the router loads the whole
 * page again, once, since a new version may have replaced the chunk or its styles; then the browser would show its own error.
 */
const chunk: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch(async ({ message }) => {
        if (!(await isReachable())) throw new ApiProblem(0, { code: 'unreachable', message: text.unreachableNow })
        // The router recognizes a missing chunk by these words, in each browser; Vite reports missing styles by others.
        throw new Error(`Failed to fetch dynamically imported module: ${message}`)
      }),
    name,
  )

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Outlet,
  notFoundComponent: () => (
    <main>
      <NotFound />
    </main>
  ),
})

/** Pages for signed-in users; others are sent to the sign-in page and back afterwards. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: chunk(() => import('./shell/Shell.tsx'), 'Shell'),
  pendingComponent: ShellSkeleton,
  beforeLoad: async ({ context: { client }, location }) => {
    const signIn = await client.ensureQueryData(signInQuery)
    if (signIn === null) throw redirect({ to: '/sign-in', search: { to: location.href } })
    return { signIn }
  },
})

/** The start for a signed-in user: what was open last, or else a company, or else an organization. */
async function startOf(client: QueryClient, { companies, organizations }: SignIn): Promise<string> {
  const last = localStorage.getItem('cashwrap-last')
  const [, kind, id] = /^\/([co])\/([0-9a-f]{24})$/.exec(last ?? '') ?? []
  const isOwn = (one: { readonly id: string }) => one.id === id
  // A company of an organization is not among the user's own; opening it shows whether it still exists.
  const isThere =
    kind === 'c' ? organizations.length > 0 || companies.some(isOwn) : kind === 'o' && organizations.some(isOwn)
  if (last !== null && isThere) return last
  const [company] = companies
  if (company !== undefined) return `/c/${company.id}`
  const [organization] = organizations
  if (organization === undefined) return '/user'
  const only = await onlyCompany(client, organization.id)
  return only === undefined ? `/o/${organization.id}` : `/c/${only}`
}

/** The company of an organization that has just one: a shop of its own, whose owner wants to see the shop. */
async function onlyCompany(client: QueryClient, organizationId: string): Promise<string | undefined> {
  const { pages } = await client.fetchInfiniteQuery(organizationListQuery(organizationId, 'companies'))
  const [first, second] = pages[0]?.data ?? []
  return second === undefined ? first?.id : undefined
}

const start = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad: async ({ context: { client, signIn } }) => {
    throw redirect({ href: `/console${await startOf(client, signIn)}` })
  },
})
const user = createRoute({
  getParentRoute: () => inside,
  path: 'user',
  component: chunk(() => import('./pages/user/UserPage.tsx'), 'UserPage'),
})

/** Invalid ids are not requested: they might not even be valid in a header. */
function checkId(id: string): void {
  if (!/^[0-9a-f]{24}$/.test(id)) throw notFound()
}

// Pages restart for another company or organization, so that nothing read or typed in one appears in the other.
const CompanyPages = () => (
  <SuspendedBanner>
    <Outlet key={useParam('companyId')} />
  </SuspendedBanner>
)
const OrganizationPages = () => <Outlet key={useParam('organizationId')} />

const company = createRoute({
  getParentRoute: () => inside,
  path: 'c/$companyId',
  component: CompanyPages,
  loader: async ({ context: { client }, params: { companyId }, location }) => {
    checkId(companyId)
    try {
      await Promise.all([
        client.ensureQueryData(companyQuery(companyId)),
        client.ensureQueryData(resourcesQuery(companyId)),
      ])
    } catch (error) {
      // Otherwise the start would lead here again and again, although the user has no access.
      localStorage.removeItem('cashwrap-last')
      const { status, code } = asProblem(error)
      // The page of another error would be shown for a moment, and read what is refused too.
      if (code === 'second_factor_missing')
        throw redirect({ to: '/second-factor', search: { to: location.href }, replace: true })
      throw status === 404 ? notFound() : error
    }
    localStorage.setItem('cashwrap-last', `/c/${companyId}`)
  },
})

/** Pages of a company, by their paths in it. */
const companyPages = {
  '/': chunk(() => import('./pages/overview/OverviewPage.tsx'), 'OverviewPage'),
  reports: chunk(() => import('./pages/reports/ReportsPage.tsx'), 'ReportsPage'),
  guides: chunk(() => import('./pages/guides/GuidePage.tsx'), 'GuidePage'),
  'guides/$guide': chunk(() => import('./pages/guides/GuidePage.tsx'), 'GuidePage'),
  stock: chunk(() => import('./pages/stock/StockPage.tsx'), 'StockPage'),
  prices: chunk(() => import('./pages/prices/PricesPage.tsx'), 'PricesPage'),
  labels: chunk(() => import('./pages/labels/LabelsPage.tsx'), 'LabelsPage'),
  imports: chunk(() => import('./pages/imports/ImportsPage.tsx'), 'ImportsPage'),
  'imports/$importId': chunk(() => import('./pages/imports/ImportPage.tsx'), 'ImportPage'),
  tables: chunk(() => import('./pages/tables/TablesPage.tsx'), 'TablesPage'),
  'tables/$tableId': chunk(() => import('./pages/tables/TablePage.tsx'), 'TablePage'),
  automation: chunk(() => import('./pages/automation/TriggersPage.tsx'), 'TriggersPage'),
  'automation/$triggerId': chunk(() => import('./pages/automation/TriggerPage.tsx'), 'TriggerPage'),
  events: chunk(() => import('./pages/automation/EventsPage.tsx'), 'EventsPage'),
  'settings/keys': chunk(() => import('./pages/settings/KeysPage.tsx'), 'CompanyKeysPage'),
  'settings/keys/$keyId': chunk(() => import('./pages/settings/KeyPage.tsx'), 'KeyPage'),
  'settings/members': chunk(() => import('./pages/settings/MembersPage.tsx'), 'CompanyMembersPage'),
  'settings/company': chunk(() => import('./pages/settings/CompanyPage.tsx'), 'CompanyPage'),
  categories: chunk(() => import('./pages/categories/CategoriesPage.tsx'), 'CategoriesPage'),
  'products/$id': chunk(() => import('./pages/products/ProductPage.tsx'), 'ProductPage'),
  'sessions/$id/report': chunk(() => import('./pages/sessions/SessionReportPage.tsx'), 'SessionReportPage'),
  closings: chunk(() => import('./pages/sessions/ClosingsPage.tsx'), 'ClosingsPage'),
  'closings/$id': chunk(() => import('./pages/sessions/ClosingPage.tsx'), 'ClosingPage'),
  'orders/$id': chunk(() => import('./pages/orders/OrderPage.tsx'), 'OrderPage'),
  'refunds/$id': chunk(() => import('./pages/refunds/RefundPage.tsx'), 'RefundPage'),
}

/** The generated pages of any resource. One with pages of its own at another path is shown there. */
const generated = (path: '$many' | '$many/$id', component: ReturnType<typeof chunk>) =>
  createRoute({
    getParentRoute: () => company,
    path,
    component,
    beforeLoad: ({ params }) => {
      const many = pathOf(params.many)
      if (many === params.many) return
      throw redirect({ to: `/c/$companyId/${path}`, params: { ...params, many }, search: true, replace: true })
    },
  })

const organization = createRoute({
  getParentRoute: () => inside,
  path: 'o/$organizationId',
  component: OrganizationPages,
  loader: ({ params: { organizationId } }) => {
    checkId(organizationId)
    localStorage.setItem('cashwrap-last', `/o/${organizationId}`)
  },
})

/** Pages of an organization, by their paths in it. */
const organizationPages = {
  '/': chunk(() => import('./pages/organization/CompaniesPage.tsx'), 'CompaniesPage'),
  'companies/$id': chunk(() => import('./pages/organization/CompanyPage.tsx'), 'OrganizationCompanyPage'),
  plans: chunk(() => import('./pages/organization/PlansPage.tsx'), 'PlansPage'),
  extensions: chunk(() => import('./pages/organization/ExtensionsPage.tsx'), 'ExtensionsPage'),
  'extensions/$id': chunk(() => import('./pages/organization/ExtensionPage.tsx'), 'ExtensionPage'),
  keys: chunk(() => import('./pages/settings/KeysPage.tsx'), 'OrganizationKeysPage'),
  members: chunk(() => import('./pages/settings/MembersPage.tsx'), 'OrganizationMembersPage'),
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  validateSearch: ({ to }: Record<string, unknown>): { to?: string } => (typeof to === 'string' ? { to } : {}),
  component: chunk(() => import('./pages/sign-in/SignInPage.tsx'), 'SignInPage'),
})
/** For a signed-in user of a company or organization that requires a second factor, which the sign-in lacks. */
const secondFactor = createRoute({
  getParentRoute: () => root,
  path: 'second-factor',
  validateSearch: ({ to }: Record<string, unknown>): { to?: string } => (typeof to === 'string' ? { to } : {}),
  component: chunk(() => import('./pages/sign-in/SecondFactorPage.tsx'), 'SecondFactorPage'),
  beforeLoad: async ({ context: { client }, search }) => {
    if ((await client.ensureQueryData(signInQuery)) === null) throw redirect({ to: '/sign-in', search })
  },
})
const link = createRoute({
  getParentRoute: () => root,
  path: 'link',
  component: chunk(() => import('./pages/sign-in/LinkPage.tsx'), 'LinkPage'),
})

/** To which the OpenID provider sends browsers back. */
const sso = createRoute({
  getParentRoute: () => root,
  path: 'sso',
  component: chunk(() => import('./pages/sign-in/SsoPage.tsx'), 'SsoPage'),
})

const routesOf = (pages: Readonly<Record<string, ReturnType<typeof chunk>>>, getParentRoute: () => AnyRoute) =>
  Object.entries(pages).map(([path, component]) => createRoute({ getParentRoute, path, component }))

const tree = root.addChildren([
  signIn,
  sso,
  secondFactor,
  link,
  inside.addChildren([
    start,
    user,
    company.addChildren([
      ...routesOf(companyPages, () => company),
      generated(
        '$many',
        chunk(() => import('./pages/records/ListPage.tsx'), 'ListPage'),
      ),
      generated(
        '$many/$id',
        chunk(() => import('./pages/records/RecordPage.tsx'), 'RecordPage'),
      ),
    ]),
    organization.addChildren(routesOf(organizationPages, () => organization)),
  ]),
])

/** The router of the pages; `client` is the query client of the loaders. */
export const makeRouter = (client: QueryClient) =>
  createRouter({
    routeTree: tree,
    basepath: '/console',
    context: { client },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 150,
    // Once shown, an outline stays for at least half a second by default, which would delay the page.
    defaultPendingMinMs: 0,
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: PageFailure,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
