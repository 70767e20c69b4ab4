// The resources that tools work on, by the names that their paths have.

import type { JsonSchema } from '../../core/json-schema.ts'
import { resources } from '../../resources/index.ts'

const paths = new Map(resources.flatMap(({ styleB }) => (styleB ? [[styleB.one, styleB.many] as const] : [])))

/** The argument that names a resource. */
export const resourceSchema: JsonSchema = { enum: [...paths.keys()] }
/**
 * The same for resources that tools may write. Triggers are not among them: a trigger sends data to a URL, and a text
 * in the records could talk an agent into creating one.
 */
export const writtenSchema: JsonSchema = { enum: [...paths.keys()].filter((name) => name !== 'automation-trigger') }

/** The argument that is a record's id. It becomes a segment of a path, so nothing else is allowed. */
export const idSchema: JsonSchema = { type: 'string', pattern: '^[0-9A-Za-z]{1,64}$' }

/** Path of one record. */
export const pathOf = (resource: string, id: string): string => `/v1/${resource}/${id}`
/** Path of a list and of bulk requests. */
export const listPathOf = (resource: string): string => `/v1/${paths.get(resource)}`
