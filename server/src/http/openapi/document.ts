// Makes the OpenAPI 3.1 document from the routes. It is served, committed as openapi.json, and shown at /docs.
import { readFileSync } from 'node:fs'
import type { JsonSchema } from '../../core/json-schema.ts'
import * as limits from '../../core/limits.ts'
import type { Route } from '../route.ts'
import { hoister } from './components.ts'
import { addExamples, type Content, type MakeContent } from './examples.ts'
import { headerParameters, headers, operation, schemesOf, securitySchemes } from './operation.ts'
import { codeTable, problemResponses } from './problems.ts'
import { type WebhookDocument, webhook, webhookParameters, webhookResponses } from './webhooks.ts'

/** The description of a chapter of the reference, by the chapter's name: the `tag` of its routes. */
export type Chapters = Readonly<Record<string, string>>

/** An OpenAPI document of ours. */
export type ApiDocument = ReturnType<typeof openApiDocument>

/**
 * The document of some routes and webhooks, chapters in the order of the routes and then the webhooks; hidden routes are
 * left out.
 */
export function openApiDocument(
  routes: readonly Route[],
  chapters: Chapters,
  webhooks: readonly WebhookDocument[] = [],
) {
  const shown = routes.filter(({ isHidden }) => !isHidden)
  const schemas: Record<string, JsonSchema> = {}
  const hoist = hoister(schemas)
  const paths: Record<string, Record<string, object>> = {}
  const contents: Content[] = []
  const content: MakeContent = ({ schema, example, contentType = 'application/json' }) => {
    const made: Content = { schema: hoist(schema), ...(example !== undefined && { example }) }
    contents.push(made)
    return { [contentType]: made }
  }
  for (const route of shown)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, hoist, content) }
  const calls = Object.fromEntries(webhooks.map((of) => [of.type, webhook(of, content)]))
  const responses = problemResponses(shown, content)
  addExamples(schemas, contents)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Cashwrap API',
      version: '1.2.4',
      summary: 'Point-of-sale data of a company: catalogue, stock, customers, sales.',
      description: introduction(),
      contact: { name: 'Cashwrap' },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The server that this document comes from' }],
    tags: unique([...shown, ...webhooks].map(({ tag }) => tag)).map((name) => {
      const description = chapters[name]
      if (description === undefined) throw new Error(`The chapter ${name} has no description.`)
      return { name, description }
    }),
    paths,
    ...(webhooks.length > 0 && { webhooks: calls }),
    components: {
      schemas: byName(schemas),
      responses: { ...responses, ...(webhooks.length > 0 && webhookResponses) },
      parameters: { ...headerParameters, ...(webhooks.length > 0 && webhookParameters) },
      headers,
      securitySchemes: Object.fromEntries(
        unique(shown.flatMap(schemesOf)).map((scheme) => [scheme, securitySchemes[scheme]]),
      ),
    },
  }
}

/** Schemas in the order of their names. */
export const byName = (schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

/** The introduction, with `${NAME}` replaced by a limit and `${CODES}` by the table of error codes. */
function introduction(): string {
  const known: Record<string, unknown> = {
    ...limits,
    BODY_MEGABYTES: limits.BODY_BYTES / 1024 / 1024,
    REQUEST_READ_SECONDS: limits.REQUEST_READ_MS / 1000,
    CODES: codeTable(),
  }
  return readFileSync(new URL('introduction.md', import.meta.url), 'utf8').replaceAll(/\$\{(\w+)\}/g, (_, name) => {
    const value = known[name]
    if (value === undefined) throw new Error(`introduction.md names ${name}, which is no limit.`)
    return typeof value === 'number' ? value.toLocaleString('en') : String(value)
  })
}
