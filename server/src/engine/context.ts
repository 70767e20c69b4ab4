// What the engine's functions need of a resource: its declaration, and the database, statements and checks that belong
// to it.

import type { Database } from '../database/connect.ts'
import type { Resource } from './resource.ts'
import { type BodySchema, bodySchema } from './schema.ts'
import { type Store, store } from './store.ts'
import { type Writing, writing } from './writing.ts'

/** A resource over a database; made once, and passed to each function that works on its records. */
export interface ResourceContext {
  readonly resource: Resource
  readonly database: Database
  readonly schema: BodySchema
  readonly store: Store
  readonly writing: Writing
}

/** Makes the context of a resource. */
export const resourceContext = (resource: Resource, database: Database): ResourceContext => ({
  resource,
  database,
  schema: bodySchema(resource),
  store: store(resource),
  writing: writing(resource),
})
