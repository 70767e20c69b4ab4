// All routes of the organization surface: onboarding, companies, plans, keys; and the company itself for its own keys.
import type { Database } from '../../database/connect.ts'
import type { Chapters } from '../../http/openapi/document.ts'
import type { Route } from '../../http/route.ts'
import type { PlanLimits } from '../plan-limits/plan-limits.ts'
import { companyRoutes, ownCompanyChapter } from './company-routes.ts'
import { keyRoutes } from './key-routes.ts'
import { onboardingRoutes } from './onboarding-routes.ts'
import { planRoutes } from './plan-routes.ts'

/** The chapters of the reference. */
export const tenantChapters: Chapters = {
  Onboarding: 'An organization creates a company with everything that it needs to start. Takes an organization’s key.',
  ...ownCompanyChapter,
  Companies: 'The companies of an organization. Take an organization’s key.',
  Plans:
    'The limits of companies: an organization’s own plans, and plans of all organizations. Take an organization’s key.',
  Keys: 'The keys of an organization and of its companies, created with an organization’s key, or by the company’s members. A key’s value is shown once.',
}

/** All routes of organizations; `plans` is notified of their changes. */
export function tenantRoutes(database: Database, plans: Pick<PlanLimits, 'drop'>): Route[] {
  return [
    ...companyRoutes(database, plans),
    ...keyRoutes(database),
    ...planRoutes(database, plans),
    ...onboardingRoutes(database),
  ]
}
