// The resources that tools work on, by the names that their paths have.

import type { JsonSchema } from '../../core/json-schema.ts'
import { closing } from '../../resources/closing.ts'
import { resources } from '../../resources/index.ts'
import { inventoryHistory } from '../../resources/inventory-history.ts'

const paths = new Map(resources.flatMap(({ styleB }) => (styleB ? [[styleB.one, styleB.many] as const] : [])))
/** The paths of what is read and never written by a request of its own. */
const readPaths = new Map([...paths, ...[closing, inventoryHistory].map(({ name }) => [name.one, name.many] as const)])

/** The argument that names a resource. */
export const resourceSchema: JsonSchema = { enum: [...paths.keys()] }
/** The same for lists, and for single records: an entry of the history has no path of its own. */
export const listedSchema: JsonSchema = { enum: [...readPaths.keys()] }
export const gotSchema: JsonSchema = { enum: [...paths.keys(), closing.name.one, 'session-report'] }
/**
 * The same for resources that tools may write. Triggers are not among them: a trigger sends data to a URL, and a text
 * in the records could talk an agent into creating one.
 */
export const writtenSchema: JsonSchema = { enum: [...paths.keys()].filter((name) => name !== 'automation-trigger') }

/** The argument that is a record's id. It becomes a segment of a path, so nothing else is allowed. */
export const idSchema: JsonSchema = { type: 'string', pattern: '^[0-9A-Za-z]{1,64}$' }

/** Path of one record. */
export const pathOf = (resource: string, id: string): string =>
  resource === 'session-report' ? `/v1/session/${id}/report` : `/v1/${resource}/${id}`
/** Path of a list and of bulk requests. */
export const listPathOf = (resource: string): string => `/v1/${readPaths.get(resource)}`
