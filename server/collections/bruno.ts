// A Bruno collection: a folder for each chapter, and a file in its language Bru for each request.
import { type Chapter, type CollectionRequest, type Pair, variables } from './requests.ts'

/** A block of lines. Bru ends a block at a line that is `}`, so each line inside has two spaces more. */
const block = (name: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `${name} {\n${lines.map((line) => `  ${line}`).join('\n')}\n}\n`

const pair = ({ name, value, isSent }: Pair): string => `${isSent ? '' : '~'}${name}: ${value}`

function request(
  { name, description, method, path, pathParameters, query, headers, body }: CollectionRequest,
  seq: number,
) {
  const kind = bodyKind(body)
  const type: Pair[] =
    body && kind === 'text' ? [{ name: 'content-type', value: body.contentType, description: '', isSent: true }] : []
  return [
    block('meta', [`name: ${name}`, 'type: http', `seq: ${seq}`]),
    block(method.toLowerCase(), [
      `url: {{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      `body: ${kind}`,
      'auth: none',
    ]),
    block('params:query', query.map(pair)),
    block('params:path', pathParameters.map(pair)),
    block('headers', [...headers, ...type].map(pair)),
    block(`body:${kind}`, bodyLines(body)),
    block('docs', description === '' ? [] : description.split('\n')),
  ]
    .filter((one) => one !== '')
    .join('\n')
}

function bodyKind(body: CollectionRequest['body']): 'json' | 'text' | 'file' | 'none' {
  if (body === undefined) return 'none'
  if (body.text === undefined) return 'file'
  return body.contentType === 'application/json' ? 'json' : 'text'
}

function bodyLines(body: CollectionRequest['body']): string[] {
  if (body === undefined) return []
  // The client asks for the file.
  return body.text?.split('\n') ?? [`file: @file() @contentType(${body.contentType})`]
}

/** A name that every file system accepts. */
const fileName = (name: string): string => name.replaceAll(/[/\\:*?"<>|]/g, '-')

/** The files of the collection, by their paths. */
export function brunoCollection(title: string, chapters: readonly Chapter[]): Record<string, string> {
  const files: Record<string, string> = {
    'bruno.json': `${JSON.stringify({ version: '1', name: title, type: 'collection' }, null, 2)}\n`,
    'environments/Local.bru': block(
      'vars',
      Object.entries(variables).map(([name, value]) => `${name}: ${value}`.trimEnd()),
    ),
  }
  for (const { name: chapter, requests } of chapters)
    for (const [n, one] of requests.entries())
      files[`${fileName(chapter)}/${fileName(one.name)}.bru`] = request(one, n + 1)
  return files
}
