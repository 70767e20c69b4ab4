// The requests of openapi.json that a key can make, as collections of HTTP clients need them: with an example of everything.

/** A name and a value that is sent with a request; those that are not `isSent` are there to be switched on. */
export interface Pair {
  readonly name: string
  readonly value: string
  readonly description: string
  readonly isSent: boolean
}

export interface CollectionRequest {
  readonly name: string
  readonly description: string
  readonly method: string
  /** With path parameters as `{id}`. */
  readonly path: string
  readonly pathParameters: readonly Pair[]
  readonly query: readonly Pair[]
  readonly headers: readonly Pair[]
  /** Without `text`, a file that is chosen in the client. */
  readonly body: { readonly contentType: string; readonly text?: string } | undefined
}

/** A chapter of the reference. */
export interface Chapter {
  readonly name: string
  readonly description: string
  readonly requests: readonly CollectionRequest[]
}

/** The variables of a collection that hold a key, by the security scheme. */
const keys = {
  companyKey: { name: 'x-api-key', value: '{{apiKey}}', description: 'The key of a company.', isSent: true },
  organizationKey: {
    name: 'x-org-api-key',
    value: '{{organizationKey}}',
    description: 'The key of an organization.',
    isSent: true,
  },
} satisfies Record<string, Pair>

/** The variables of a collection, with the values that they have at first. */
export const variables = { baseUrl: 'http://127.0.0.1:8080', apiKey: '', organizationKey: '' }

/** The chapters of an OpenAPI document whose routes accept a key or need none. */
export function chaptersOf(document: any): Chapter[] {
  const operations = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const isForKeys = ({ operation: { security } }: (typeof operations)[number]) =>
    security.length === 0 || security.some((one: object) => !('signIn' in one))
  return document.tags
    .map(({ name, description }: Chapter) => ({
      name,
      description,
      requests: operations
        .filter(isForKeys)
        .filter(({ operation }) => operation.tags[0] === name)
        .map(({ path, method, operation }) => requestOf(document, path, method.toUpperCase(), operation)),
    }))
    .filter(({ requests }: Chapter) => requests.length > 0)
}

function requestOf(document: any, path: string, method: string, operation: any): CollectionRequest {
  const { summary, description = '', parameters = [], requestBody, security } = operation
  const all = parameters.map((parameter: any) => referred(document, parameter))
  const pairs = (place: string): Pair[] => all.filter((one: any) => one.in === place).flatMap(pairsOf)
  const scheme = security.flatMap(Object.keys).find((name: string) => name in keys) as keyof typeof keys | undefined
  const [contentType, media] = Object.entries<any>(requestBody?.content ?? {})[0] ?? []
  return {
    name: summary,
    description,
    method,
    path,
    pathParameters: pairs('path'),
    query: pairs('query'),
    headers: [...(scheme ? [keys[scheme]] : []), ...pairs('header')],
    body: contentType === undefined ? undefined : bodyOf(document, contentType, media),
  }
}

const bodyOf = (document: any, contentType: string, media: any): CollectionRequest['body'] =>
  contentType === '*/*' ? { contentType: 'image/png' } : { contentType, text: textOf(exampleOf(document, media)) }

const referred = (document: any, part: any): any =>
  part.$ref === undefined
    ? part
    : part.$ref
        .slice(2)
        .split('/')
        .reduce((inner: any, step: string) => inner[step], document)

/** The example of a request: its own, or that of its schema. */
const exampleOf = (document: any, { schema, example }: any): unknown =>
  example ?? referred(document, schema).examples?.[0]

const textOf = (example: unknown): string => (typeof example === 'string' ? example : JSON.stringify(example, null, 2))

/** What is sent for a parameter: a range has a pair for each bound. */
function pairsOf({ name, description = '', required: isSent = false, schema, example }: any): Pair[] {
  if (schema.type === 'object')
    return Object.entries<any>(schema.properties).map(([bound, of]) => ({
      name: `${name}[${bound}]`,
      value: sampleOf(of),
      description,
      isSent,
    }))
  // Each request has an idempotency key of its own.
  const value = name === 'Idempotency-Key' ? '{{$guid}}' : String(example ?? sampleOf(schema))
  return [{ name, value, description, isSent }]
}

const sampleOf = ({ examples = [], default: usual, enum: words = [], minimum = '' }: any): string =>
  String(examples[0] ?? usual ?? words[0] ?? minimum)
