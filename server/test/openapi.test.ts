// The reference is correct: valid, complete, up to date, and independent of other servers.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats, { type FormatsPlugin } from 'ajv-formats'
import { allRoutes, apiDocument, apiSdkDocument } from '../src/app.ts'
import type { Database } from '../src/database/connect.ts'
import { codesOf } from '../src/http/openapi/problems.ts'
import { tillPermissions } from '../src/resources/till-permissions.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()
const committed = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')
const document: any = JSON.parse(JSON.stringify(apiDocument()))
const routes = allRoutes({} as Database).filter(({ isHidden }) => !isHidden)

const operations: { name: string; at: string; operation: any }[] = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods as object).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      at: pointer('paths', path, method),
      operation,
    })),
)

function pointer(...steps: string[]): string {
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

// Each check is used once or twice: improving its code takes longer than it saves.
const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
;(addFormats as unknown as FormatsPlugin)(ajv)
ajv.addSchema({ ...document, $id: 'reference' })

/** The errors of a value against the schema at a pointer in the document. */
function errorsOf(at: string, value: unknown): unknown[] {
  const validate = ajv.getSchema(`reference#${encodeURI(at)}`)
  assert.ok(validate, `there is a schema at ${at}`)
  return validate(value) ? [] : (validate.errors ?? [])
}

test('openapi.json is what the code generates', () => {
  assert.ok(committed === `${JSON.stringify(document, null, 2)}\n`, 'stale: run `npm run openapi` and commit it')
})

test('openapi.sdk.json is what the code generates, valid, and has each operation once', async () => {
  const written = readFileSync(new URL('../../openapi.sdk.json', import.meta.url), 'utf8')
  const own = JSON.parse(JSON.stringify(apiSdkDocument()))
  assert.ok(written === `${JSON.stringify(own, null, 2)}\n`, 'stale: run `npm run openapi` and commit it')
  const { valid, errors } = await new Validator().validate(structuredClone(own))
  assert.deepEqual({ valid, errors }, { valid: true, errors: undefined })
  const kept = Object.values<Record<string, { operationId: string }>>(own.paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId }) => operationId)
  // `listCategoryA` is left out because there is `listCategories`.
  const twinOf = (id: string) => /^(.*?)y?A(2|Of)?$/.exec(id)?.[1] ?? id
  const lost = operations
    .map(({ operation: { operationId } }) => operationId)
    .filter((id) => !kept.includes(id) && !kept.some((other) => other.startsWith(twinOf(id))))
  assert.deepEqual(lost, [])
})

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  assert.deepEqual({ valid, errors }, { valid: true, errors: undefined })
  assert.equal(document.info.version, '1.2.4')
})

test('every route is in the document under its own operationId, with which no schema conflicts, and nothing else is', () => {
  const expected = routes.map(({ method, path }) => `${method} ${path}`)
  assert.deepEqual(operations.map(({ name }) => name).sort(), expected.sort())
  const ids = operations.map(({ operation }) => operation.operationId)
  assert.equal(new Set(ids).size, ids.length)
  // orval makes such a type for each operation.
  const taken = ids.map((id) => `${id[0]?.toUpperCase()}${id.slice(1)}Result`)
  assert.deepEqual(
    taken.filter((name) => name in document.components.schemas),
    [],
  )
})

test('each operation says which key it accepts, with which permission, and where a person may call instead', () => {
  for (const { method, path, surface, forPeople, forKeys, takesCompanyKey, permission: own } of routes) {
    const { security, description } = document.paths[path][method.toLowerCase()]
    const schemes = security.flatMap(Object.keys)
    const key = { public: [], person: [], company: ['companyKey'], organization: ['organizationKey'] }[surface]
    const keys = surface === 'company' && path.startsWith('/v1/api/') ? [...key, 'legacyKey'] : key
    const signIn = surface === 'public' || forKeys ? [] : ['signIn']
    // The reference itself, which accepts a company's key.
    if (takesCompanyKey) {
      assert.deepEqual(security, [{}, { companyKey: [] }], path)
      continue
    }
    assert.deepEqual(schemes, forPeople ? signIn : [...keys, ...signIn], path)
    const byVerb = { GET: 'read', POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'delete' }[method]
    const permissions = [own ?? byVerb].flat().map((permission) => `\`${permission}\``)
    if (forPeople) assert.match(description, new RegExp(`role \`${forPeople}\``), path)
    else if (key.length > 0) assert.match(description, new RegExp(`permissions? ${permissions.join(' and ')}`), path)
  }
})

test('chapters come in the order of the routes and then the webhooks, each with a description', () => {
  const names = document.tags.map(({ name }: { name: string }) => name)
  assert.deepEqual(names, [...new Set(routes.map(({ tag }) => tag)), 'Webhooks'])
  for (const { name, description } of document.tags) assert.ok(description, name)
})

const refersTo = ({ $ref = '' }: { $ref?: string }) => $ref.replace('#/components/schemas/', '')

/** The named schema that a request or response has, unless it adds keywords of its own. */
const plainName = ({ schema }: any): string => (Object.keys(schema).length === 1 ? refersTo(schema) : '')

/** Where the schema of a request or response is: with its name, under which it is compiled once for all, or at its own place. */
const schemaAt = (media: any, at: string) =>
  plainName(media) ? pointer('components', 'schemas', plainName(media)) : `${at}/schema`

/** The example of a request or response: its own, or that of its schema. */
const exampleOf = ({ schema, example = document.components.schemas[refersTo(schema)]?.examples[0] }: any) => example

test('each named schema has one example, or the usual values, which are valid against it', () => {
  const names = Object.keys(document.components.schemas)
  for (const name of names) {
    const { examples } = document.components.schemas[name]
    assert.equal(examples?.length, name === 'RolePermission' ? tillPermissions.length : 1, name)
    for (const example of examples)
      assert.deepEqual(errorsOf(pointer('components', 'schemas', name), example), [], name)
  }
  assert.ok(names.length > 400, `${names.length} schemas`)
})

test('each JSON request and response has a named schema, and so has each object in a list', () => {
  const inline = (schema: any, at: string): string[] => {
    const { items, properties = {}, ...others } = schema
    const inner = [
      ...Object.entries<any>(properties).map(([name, of]) => [of, `${at}.${name}`] as const),
      ...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => (others[keyword] ?? []).map((of: any) => [of, at] as const)),
      ...(items ? [[items, `${at}[]`] as const] : []),
    ]
    return [...(items?.properties ? [`${at}[]`] : []), ...inner.flatMap(([of, place]) => inline(of, place))]
  }
  assert.deepEqual(
    Object.entries(document.components.schemas).flatMap(([name, schema]) => inline(schema, name)),
    [],
  )
  for (const { name, operation } of operations)
    for (const { content = {} } of [operation.requestBody ?? {}, ...Object.values<any>(operation.responses)])
      for (const [type, { schema }] of Object.entries<any>(content))
        if (/[/+]json$/.test(type)) assert.ok(schema.$ref, name)
})

test('each response and each body has an example that is valid against its schema', () => {
  let checked = 0
  const check = (name: string, at: string, content: object) => {
    for (const [type, media] of Object.entries<any>(content)) {
      if (media.schema.format === 'binary') continue
      const example = exampleOf(media)
      assert.notEqual(example, undefined, `${name} has an example`)
      checked++
      // That of a named schema is checked with it.
      if (media.example === undefined && plainName(media)) continue
      assert.deepEqual(errorsOf(schemaAt(media, `${at}${pointer('content', type)}`), example), [], name)
    }
  }
  for (const { name, at, operation } of operations) {
    if (operation.requestBody) check(`body of ${name}`, `${at}/requestBody`, operation.requestBody.content)
    for (const [status, response] of Object.entries<any>(operation.responses))
      if (response.content) check(`${status} of ${name}`, `${at}/responses/${status}`, response.content)
  }
  for (const [name, { content = {} }] of Object.entries<any>(document.components.responses))
    check(name, pointer('components', 'responses', name), content)
  assert.ok(checked > operations.length)
})

test('each schema by which a route checks its body and its query is a valid JSON Schema', () => {
  for (const { path, body, query } of allRoutes({} as Database))
    for (const schema of [body?.schema, query && { type: 'object', properties: query }])
      if (schema) assert.ok(ajv.validateSchema(schema), `${path}: ${ajv.errorsText(ajv.errors)}`)
})

const bodyAt = (at: string) => `${at}${pointer('requestBody', 'content', 'application/json')}`

test('a body with an unknown member is invalid, singly and in bulk', () => {
  let refused = 0
  for (const { name, at, operation } of operations) {
    if (!operation.requestBody?.content['application/json'] || operation.operationId.startsWith('delete')) continue
    // The columns of a custom table are the company's own.
    if (operation.operationId.endsWith('CustomTableData')) continue
    const example = exampleOf(operation.requestBody.content['application/json'])
    const misspelt = structuredClone(example)
    Object.assign(misspelt.items?.[0] ?? misspelt, { nobodyKnowsThis: 1 })
    assert.notDeepEqual(
      errorsOf(schemaAt(operation.requestBody.content['application/json'], bodyAt(at)), misspelt),
      [],
      name,
    )
    refused++
  }
  assert.ok(refused > 0)
})

test('a record that was read is a valid body of an update, singly and in bulk', () => {
  for (const { name, at, operation } of operations) {
    if (!/^update/.test(operation.operationId)) continue
    const example = exampleOf(Object.values<any>(operation.responses['200'].content)[0])
    const record = example.results?.[0].data ?? example
    const body = example.results ? { items: [{ ...record, clientRef: 'row-1' }] } : record
    assert.deepEqual(errorsOf(schemaAt(operation.requestBody.content['application/json'], bodyAt(at)), body), [], name)
  }
})

test('an update may clear each optional member with null, and no required one', () => {
  const { properties } = document.components.schemas.CustomerUpdate
  assert.deepEqual(properties.email.type, ['string', 'null'])
  assert.deepEqual(properties.billing.anyOf, [{ $ref: '#/components/schemas/Address' }, { type: 'null' }])
  const product = document.components.schemas.ProductUpdate.properties
  assert.equal(product.name.type, 'string')
})

test('every code that an operation returns is listed with its status, and explained in the introduction', () => {
  for (const route of routes) {
    const { responses } = document.paths[route.path][route.method.toLowerCase()]
    for (const code of codesOf(route)) {
      const line = new RegExp(`^\\| \`${code}\` \\| (\\d+) \\| .+ \\|$`, 'm').exec(document.info.description)
      assert.ok(line, code)
      const name = responses[line[1] as string].$ref.split('/').at(-1)
      assert.match(document.components.responses[name].description, new RegExp(`\`${code}\``))
    }
  }
})

test('ranges are deep objects, and every path parameter is described', () => {
  const { parameters } = document.paths['/v1/customers'].get
  const range = parameters.find(({ name }: { name: string }) => name === 'createdAt')
  assert.deepEqual([range.style, range.explode], ['deepObject', true])
  for (const { name, operation } of operations)
    for (const [, parameter] of name.matchAll(/\{(\w+)\}/g)) {
      const described = operation.parameters.find((one: any) => one.in === 'path' && one.name === parameter)
      assert.ok(described?.required && described.description, name)
    }
})

test('a parameter that takes several values is an array, with commas or repeated, as the server reads it', async () => {
  const parameters = operations.flatMap(({ name, operation }) =>
    (operation.parameters ?? []).map((parameter: any) => ({ name, parameter })),
  )
  const arrays = parameters.filter(({ parameter }) => parameter.schema?.type === 'array')
  for (const { name, parameter } of arrays) {
    const isRepeated = /Repeat the parameter/.test(parameter.description)
    assert.deepEqual([parameter.in, parameter.style, parameter.explode], ['query', 'form', isRepeated], name)
  }
  const unmarked = parameters.filter(
    ({ parameter }) => parameter.schema?.type === 'string' && /separated by commas/.test(parameter.description),
  )
  assert.deepEqual([arrays.length > 0, unmarked], [true, []])
  const { call } = await service.company()
  await call('POST', '/v1/customer', { firstName: 'Ann', tags: ['regular'] })
  for (const query of ['tags=vip,regular', 'tags=vip&tags=regular']) {
    const { body } = await call('GET', `/v1/customers?${query}`)
    assert.equal(body.meta?.count, 1, query)
  }
})

test('the document is public, and served to each key of a company', async () => {
  for (const headers of [{}, { 'x-api-key': (await service.company()).key }]) {
    const { status, text } = await service.caller(headers)('GET', '/v1/openapi.json')
    assert.equal(status, 200)
    // Samples are for the reference alone; sdk/test/samples.test.ts and reference-samples.test.ts are about them.
    const isOfSamples = (name: string, value: any) =>
      name === 'x-codeSamples' || value?.default?.['x-disabled'] === true
    const served = JSON.parse(text, (name, value) => (isOfSamples(name, value) ? undefined : value))
    assert.deepEqual(served, document)
  }
})

test('the document and the script of its page are compressed for clients that accept it, with the same content', async () => {
  const { text: page } = await service.caller()('GET', '/docs')
  const script = /src="([^"]+\.js)"/.exec(page)?.[1] as string
  for (const [path, key] of [
    ['/v1/openapi.json', {}],
    ['/v1/openapi.json', { 'x-api-key': (await service.company()).key }],
    [script, {}],
  ] as const) {
    // fetch decodes the body; the response's headers show how it was sent.
    const get = async (coding: string) => {
      const response = await fetch(service.url + path, { headers: { ...key, 'accept-encoding': coding } })
      assert.equal(response.status, 200)
      assert.match(response.headers.get('vary') ?? '', /accept-encoding/)
      const bytes = Number(response.headers.get('content-length'))
      return { coding: response.headers.get('content-encoding'), text: await response.text(), bytes }
    }
    const plain = await get('identity')
    assert.equal(plain.coding, null)
    for (const coding of ['br', 'gzip']) {
      const { coding: used, text, bytes } = await get(`${coding};q=0.9, identity;q=0`)
      assert.equal(used, coding)
      assert.ok(text === plain.text, path)
      assert.ok(bytes < plain.bytes / 3, `${path} ${coding}: ${bytes} of ${plain.bytes}`)
    }
    assert.equal((await get('br;q=0, gzip')).coding, 'gzip')
  }
})

test('limits of requests use keywords that tools know', () => {
  const { schemas, parameters } = document.components
  const { CustomerCreate, TransactionCreate, InventoryCreate, SessionCreate, CustomTableDataBody, Event } = schemas
  assert.deepEqual(CustomerCreate.anyOf[0], { required: ['email'] })
  assert.ok(TransactionCreate.properties.amount.pattern)
  assert.deepEqual(SessionCreate.properties.openTime.anyOf, [
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'date' },
    { type: 'null' },
  ])
  assert.equal(InventoryCreate.properties.stock.format, 'double')
  assert.deepEqual(CustomTableDataBody.additionalProperties.items, {})
  for (const member of ['data', 'previous']) assert.equal(Event.properties[member].additionalProperties, true)
  assert.match(parameters['Idempotency-Key'].schema.examples[0], /^[\x20-\x7e]+$/)
  assert.ok(document.info.contact)
  for (const { name, operation } of operations) assert.ok(operation.responses['429'], name)
  const { headers } = document.components.responses.TooManyRequests
  assert.deepEqual(Object.keys(headers).sort(), ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'])
  const formats = new Set(Array.from(JSON.stringify(document).matchAll(/"format":"([^"]+)"/g), ([, format]) => format))
  for (const format of formats)
    assert.ok(
      ['date-time', 'date', 'double', 'email', 'uri', 'int32', 'int64', 'binary'].includes(format as string),
      format,
    )
})

test('each text and integer of a request body has a limit, as .spectral.yaml claims', () => {
  const { schemas } = document.components
  const inBodies = new Set<string>()
  const collect = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (inBodies.has(name)) continue
      inBodies.add(name)
      collect(schemas[name])
    }
  }
  for (const { operation } of operations) collect(operation.requestBody ?? {})
  const limits = ['maxLength', 'pattern', 'format', 'enum', 'const', 'anyOf']
  const unlimited = (schema: any, at: string): string[] => {
    if (typeof schema !== 'object' || schema.readOnly) return []
    const types = [schema.type].flat()
    const isOpen =
      (types.includes('string') && !limits.some((keyword) => keyword in schema)) ||
      (types.includes('integer') && !('minimum' in schema && 'maximum' in schema))
    const inner = [schema.items, schema.additionalProperties, schema.allOf, schema.anyOf, schema.oneOf].flat()
    return [
      ...(isOpen ? [at] : []),
      ...Object.entries(schema.properties ?? {}).flatMap(([name, of]) => unlimited(of, `${at}.${name}`)),
      ...inner.flatMap((of) => unlimited(of ?? true, at)),
    ]
  }
  const found = [...inBodies].flatMap((name) => unlimited(schemas[name], name))
  // Ids and ETags are only compared, countries and time zones must be known ones, and a column has the limits of its field.
  const known = /\.(id|ifMatch|country|timezone)$|^CustomTableDataBody$/
  assert.deepEqual(
    found.filter((at) => !known.test(at)),
    [],
  )
  assert.ok(inBodies.size > 100, `${inBodies.size} schemas`)
})

test('the example of a schema is complete, and not that of a response that leaves something out', () => {
  const [sale] = document.components.schemas.Sale.examples
  assert.deepEqual([sale.transactions.length, sale.stock.length], [1, 1])
  const [{ id, orderId }] = sale.transactions
  assert.deepEqual([orderId, id === orderId], [sale.order.id, false])
  const { 200: repeated, 201: made } = document.paths['/v1/sale'].post.responses
  assert.deepEqual(exampleOf(repeated.content['application/json']).transactions, [])
  assert.deepEqual(exampleOf(made.content['application/json']), sale)
})

test('the page for people loads and reaches nothing but this server', async () => {
  const { status, headers, text } = await service.caller()('GET', '/docs')
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^text\/html/)
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'/)
  assert.doesNotMatch(policy, /https?:|\*|unsafe-eval/)
  const links = Array.from(text.matchAll(/(?:src|href)="([^"]*)"/g), ([, link = '']) => link)
  for (const link of links) assert.match(link, /^(\/(?!\/)|data:)/)
  const script = await fetch(service.url + links.find((link) => link.endsWith('.js')))
  assert.equal(script.status, 200)
  assert.match(script.headers.get('content-type') ?? '', /^text\/javascript/)
  assert.match(script.headers.get('cache-control') ?? '', /immutable/)
  assert.match(await script.text(), /api-reference/)
})
