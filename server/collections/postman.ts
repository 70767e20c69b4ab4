// A Postman collection, in its format 2.1.
import { type Chapter, type CollectionRequest, type Pair, variables } from './requests.ts'

const pair = ({ name, value, description, isSent }: Pair) => ({
  key: name,
  value,
  description,
  ...(!isSent && { disabled: true }),
})

function item({ name, description, method, path, pathParameters, query, headers, body }: CollectionRequest) {
  const steps = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1')
  const type: Pair[] = body ? [{ name: 'content-type', value: body.contentType, description: '', isSent: true }] : []
  return {
    name,
    request: {
      method,
      description,
      header: [...headers, ...type].map(pair),
      url: {
        raw: `{{baseUrl}}/${steps}`,
        host: ['{{baseUrl}}'],
        path: steps.split('/'),
        query: query.map(pair),
        variable: pathParameters.map(({ name, value, description }) => ({ key: name, value, description })),
      },
      ...(body && { body: body.text === undefined ? { mode: 'file' } : { mode: 'raw', raw: body.text } }),
    },
  }
}

/** The collection as one JSON file. */
export const postmanCollection = (title: string, chapters: readonly Chapter[]): string =>
  `${JSON.stringify(
    {
      info: { name: title, schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
      item: chapters.map(({ name, description, requests }) => ({ name, description, item: requests.map(item) })),
    },
    null,
    2,
  )}\n`
