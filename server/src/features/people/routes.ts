// The routes of people put together.
import type { Database } from '../../database/connect.ts'
import type { Route } from '../../http/route.ts'
import { linkRoutes } from './link-routes.ts'
import { passwordLane } from './passwords.ts'
import { placeRoutes } from './places.ts'
import { signInRoutes } from './sign-in-routes.ts'

/** All routes of people who sign in. */
export function peopleRoutes(database: Database): Route[] {
  const passwords = passwordLane()
  return [...signInRoutes(database, passwords), ...placeRoutes(database), ...linkRoutes(database, passwords)]
}
