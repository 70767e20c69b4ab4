// All routes of people.
import type { Database } from '../../database/connect.ts'
import type { Route } from '../../http/route.ts'
import { placeRoutes } from './accessible-companies.ts'
import { consoleChapter } from './documents.ts'
import { invitationRoutes } from './invitation-routes.ts'
import { linkRoutes } from './link-routes.ts'
import { memberChapter, memberRoutes } from './member-routes.ts'
import { passwordSemaphore } from './passwords.ts'
import { signInRoutes } from './sign-in-routes.ts'
import { userRoutes } from './user-routes.ts'

/** The chapters of people in the reference. */
export const peopleChapters = { ...consoleChapter, ...memberChapter }

/** All routes of people who sign in. */
export function peopleRoutes(database: Database): Route[] {
  const passwords = passwordSemaphore()
  return [
    ...memberRoutes(database),
    ...signInRoutes(database, passwords),
    ...userRoutes(database, passwords),
    ...placeRoutes(database),
    ...linkRoutes(database, passwords),
    ...invitationRoutes(database),
  ]
}
