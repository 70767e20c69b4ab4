// Answers held against what the reference declares of them, member for member.
import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats, { type FormatsPlugin } from 'ajv-formats'
import type { Route } from '../../src/http/route.ts'
import type { Body } from './contract.ts'
import type { Reply } from './service.ts'

// Each check is used a few times only: the compiler's own improvement of its code takes longer than it saves. The schemas
// themselves are checked with the document (openapi.test.ts), which would take a third of the time here.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, code: { optimize: false } })
;(addFormats as unknown as FormatsPlugin)(ajv)
/** Checks by the text of their schema: many routes have the same answers. */
const compiled = new Map<string, ValidateFunction>()

/** A schema that accepts no undeclared member: a response with one does not match the reference. */
function closed(schema: Body): Body {
  const { properties, items, oneOf } = schema
  const isRecord = properties?.createdAt !== undefined && properties.updatedAt !== undefined
  const inside = (members: Body) =>
    Object.fromEntries(Object.entries(members).map(([name, of]) => [name, closed(of as Body)]))
  return {
    ...schema,
    // Objects inside a record may have further members of the caller's own.
    ...(properties && {
      properties: isRecord ? properties : inside(properties),
      additionalProperties: schema.additionalProperties ?? false,
    }),
    ...(items && { items: closed(items) }),
    ...(oneOf && { oneOf: oneOf.map(closed) }),
  }
}

/** The check of a route's schema for a status. Compiled once a schema, since that takes longer than everything else here. */
function declaredCheck({ replies }: Route, status: number): ValidateFunction {
  const schema = replies[status]?.schema as Body
  const text = JSON.stringify(schema)
  const validate = compiled.get(text) ?? ajv.compile(closed(schema))
  compiled.set(text, validate)
  return validate
}

/** Checks a response against the schema that its route declares. */
export function assertDeclared(route: Route, reply: Reply): void {
  const declared = route.replies[reply.status]
  assert.ok(declared, `answers ${reply.status}, which it does not declare: ${reply.text.slice(0, 300)}`)
  const validate = declaredCheck(route, reply.status)
  assert.ok(
    validate(declared.contentType ? reply.text : reply.body),
    `${ajv.errorsText(validate.errors)} in ${reply.text.slice(0, 500)}`,
  )
  for (const header of Object.keys(declared.headers ?? {}))
    if (!/total/i.test(header)) assert.ok(reply.headers.has(header), header)
}

/** Checks the examples of a route's responses against their schemas. */
export function assertExamples(route: Route): void {
  for (const [status, { schema, example }] of Object.entries(route.replies)) {
    // The bytes of a file say nothing.
    if (schema?.format === 'binary') continue
    const validate = declaredCheck(route, Number(status))
    assert.ok(validate(example), `${status}: ${ajv.errorsText(validate.errors)}`)
  }
}
