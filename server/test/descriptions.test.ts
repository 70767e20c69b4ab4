// Every member of the reference says what it means: each property of each schema, in requests, responses and events, has a description.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiDocument } from '../src/app.ts'

const document: any = JSON.parse(JSON.stringify(apiDocument()))

interface Property {
  /** Where it is: `Order.lineItems`, `POST /v1/orders body.items`. */
  readonly at: string
  readonly name: string
  readonly schema: any
}

/** Keywords that hold one schema, and those that hold several; the values of other keywords are no schemas. */
const inside = ['items', 'additionalProperties', 'not', 'allOf', 'anyOf', 'oneOf', 'prefixItems']

/** The properties of a schema, with those of nested ones; a schema that is referred to is a component of its own. */
function propertiesOf(schema: any, at: string): Property[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = Object.entries<any>(schema.properties ?? {}).flatMap(([name, of]) => [
    { at: `${at}.${name}`, name, schema: of },
    ...propertiesOf(of, `${at}.${name}`),
  ])
  return [...own, ...inside.flatMap((keyword) => [schema[keyword]].flat().flatMap((of) => propertiesOf(of, at)))]
}

/** The schemas of parameters, bodies, responses and headers below a part of the document, wherever they are. */
function inlineSchemas(part: any, at: string): { at: string; schema: any }[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([keyword, value]) => {
    if (keyword === 'example' || keyword === 'examples') return []
    return keyword === 'schema'
      ? [{ at, schema: value }]
      : inlineSchemas(value, `${at} ${part[keyword]?.name ?? keyword}`)
  })
}

const { schemas, ...shared } = document.components
const properties = [
  ...Object.entries(schemas).map(([at, schema]) => ({ at, schema })),
  ...inlineSchemas(shared, 'components'),
  ...inlineSchemas(document.paths, ''),
].flatMap(({ at, schema }) => propertiesOf(schema, at.trim()))

const said = ({ schema }: Property): string => String(schema.description ?? '').trim()

/** Words that add nothing to a name. */
const fillers = new Set(
  'a an the this that its it is are be of in on at to for and or by with as has have was'.split(' '),
)

/** The words of a text that carry meaning, in the singular. */
const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !fillers.has(word))
    .map((word) => word.replace(/(?<=..)s$/, ''))

/** Whether a description has no word that its member's name does not have: `The name.`, `Id of the customer.` */
function onlyRepeats(name: string, description: string): boolean {
  const named = new Set(wordsOf(name))
  return wordsOf(description).every((word) => named.has(word))
}

test('each property of each schema has a description', () => {
  assert.ok(properties.length > 2_000, `${properties.length} properties`)
  for (const at of ['Order.lineItems', 'LineDiscount.itemDiscount', 'BulkSummary.total', 'CustomerCreateBulk.items'])
    assert.ok(
      properties.some((property) => property.at === at),
      at,
    )
  assert.deepEqual(
    properties.filter((property) => said(property) === '').map(({ at }) => at),
    [],
  )
})

test('no description only repeats the name of its member', () => {
  for (const [name, description] of [
    ['name', 'The name.'],
    ['customerId', 'The id of the customer'],
    ['tags', 'Tags'],
  ] as const)
    assert.ok(onlyRepeats(name, description), description)
  assert.ok(!onlyRepeats('customerId', 'The customer who buys.'))
  assert.deepEqual(
    properties
      .filter((property) => said(property) !== '' && onlyRepeats(property.name, said(property)))
      .map((property) => `${property.at}: ${said(property)}`),
    [],
  )
})

test('each description is a sentence, or several, that fit beside the member', () => {
  const wrong = properties.filter((property) => {
    const text = said(property)
    return text !== '' && (!/^[\p{Lu}\p{N}`{]/u.test(text) || !/[.…`)]$/.test(text) || text.length > 400)
  })
  assert.deepEqual([...new Set(wrong.map((property) => `${property.at}: ${said(property)}`))], [])
})

test('each parameter has a description', () => {
  const parameters = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).flatMap(([method, { parameters = [] }]) =>
      parameters.map((parameter: any) => ({ at: `${method} ${path} ${parameter.name ?? parameter.$ref}`, parameter })),
    ),
  )
  const silent = parameters.filter(({ parameter }) => !(parameter.$ref || parameter.description?.trim()))
  assert.deepEqual(silent.map(({ at }) => at), []) // biome-ignore format: one thought
})
