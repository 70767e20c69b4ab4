// GET /v1/openapi.json for programs and GET /docs for people: the reference, with no network but this server.

import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import { string } from '../../core/json-schema.ts'
import { Scope } from '../../core/scope.ts'
import { divided } from '../../core/worker-share.ts'
import { type Compressed, compressed, encoded } from '../../http/compressed.ts'
import { overlay } from '../../http/openapi/company-overlay.ts'
import type { ApiDocument } from '../../http/openapi/document.ts'
import type { Answer, Call, Route } from '../../http/route.ts'
import { pagePolicy, referencePage } from './page.ts'
import { withSamples } from './samples.ts'

/** Cached documents of the API as one company sees it, usually of 1.4 MB each, and their bytes; generating one takes some 15 ms. */
export const CACHED_DOCUMENTS = 16
const CACHED_DOCUMENT_BYTES = divided(32 * 1024 * 1024, 8 * 1024 * 1024)

/** The chapter about the reference itself. */
const title = 'Reference'
export const referenceChapter = {
  [title]: 'This reference as a machine-readable document. The page `/docs` shows it to people.',
}

/**
 * Scalar's whole page in one file, as in its package; its path contains its version, so that it may be cached forever.
 */
const scalar = import.meta.resolve('@scalar/fastify-api-reference')
const scriptFile = new URL('js/standalone.js', scalar)
const { version } = JSON.parse(readFileSync(new URL('../package.json', scalar), 'utf8'))
const scriptPath = `/docs/scalar-${version}.js`

/** Makes the document of some routes; of all existing routes by default. */
type MakeDocument = (routes?: readonly Route[]) => ApiDocument

/**
 * The routes that differ for the company of a scope, with the paths and methods of the plain ones; undefined if none
 * do. The same array means the same document, so each change needs a new array.
 */
export type CompanyRoutes = (scope: Scope) => Promise<readonly Route[] | undefined>

const documentRoute = {
  method: 'GET',
  path: '/v1/openapi.json',
  alsoCalled: ['openapi', 'swagger', 'api-docs', 'reference'],
  surface: 'public',
  takesCompanyKey: true,
  limitedKeys: 'always',
  operationId: 'openapi',
  semaphore: 'none',
  tag: title,
  summary: 'Read this document',
  description:
    'The API as OpenAPI 3.1. With a company’s key, the document includes the columns that the company’s custom tables add to customers.',
  replies: {
    200: {
      description: 'The document.',
      schema: {
        title: 'OpenApiDocument',
        type: 'object',
        properties: {
          openapi: string('The version of the OpenAPI specification.'),
          info: { type: 'object', additionalProperties: true, description: 'Title, version and introduction.' },
          paths: { type: 'object', additionalProperties: true, description: 'The operations, by path and method.' },
        },
        required: ['openapi', 'info', 'paths'],
        additionalProperties: true,
      },
      example: { openapi: '3.1.1', info: { title: 'Cashwrap API', version: '1.2.4' }, paths: {} },
    },
  },
} as const satisfies Omit<Route, 'handle'>

/** The routes of the reference; the first request makes the document and reads the script, once for all answers. */
export function referenceRoutes(makeDocument: MakeDocument, companyRoutes: CompanyRoutes): Route[] {
  const documents = companyDocuments(makeDocument, companyRoutes)
  let script: Promise<Compressed> | undefined
  const hidden = (path: string, operationId: string, summary: string, handle: Route['handle']): Route => ({
    method: 'GET',
    path,
    surface: 'public',
    operationId,
    semaphore: 'none',
    tag: title,
    summary,
    replies: {},
    isHidden: true,
    handle,
  })
  return [
    { ...documentRoute, handle: documents },
    hidden('/docs', 'docs', 'The reference for people', () => ({
      status: 200,
      body: referencePage(scriptPath),
      contentType: 'text/html; charset=utf-8',
      headers: {
        'cache-control': 'no-cache',
        'content-security-policy': pagePolicy,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      },
    })),
    hidden(scriptPath, 'docsScript', 'The script of the page', async ({ accepts }) => {
      script ??= readFile(scriptFile)
        .then(compressed)
        .catch((error) => {
          // The next request reads it again.
          script = undefined
          throw error
        })
      return encoded(await script, accepts, 'text/javascript; charset=utf-8', {
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      })
    }),
  ]
}

/**
 * Answers with the document, for a company's key as that company sees it. Each version is built and compressed once.
 */
function companyDocuments(makeDocument: MakeDocument, companyRoutes: CompanyRoutes) {
  const kept = new LRUCache<
    string,
    { readonly routes: readonly Route[]; readonly made: Promise<Compressed>; readonly bytes: number }
  >({
    max: CACHED_DOCUMENTS,
    maxSize: CACHED_DOCUMENT_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
  })
  let document: ApiDocument | undefined
  let plainMade: Promise<Compressed> | undefined
  let lay: ((own: ApiDocument) => ApiDocument) | undefined

  function plain(): ApiDocument {
    document ??= makeDocument()
    return document
  }

  function documentOf(companyId: string, routes: readonly Route[]): Promise<Compressed> {
    const known = kept.get(companyId)
    if (known?.routes === routes) return known.made
    lay ??= overlay(plain())
    const text = bytesOf(withSamples(lay(makeDocument(routes))))
    const made = compressed(text)
    // Includes the compressed copies, which add less than a quarter.
    kept.set(companyId, { routes, made, bytes: Math.ceil(text.length * 1.25) })
    return made
  }

  return async ({ scope, expect, accepts }: Call): Promise<Answer<Buffer>> => {
    const routes = scope === Scope.nobody ? undefined : await companyRoutes(scope)
    if (routes === undefined) {
      plainMade ??= compressed(bytesOf(withSamples(plain())))
      return encoded(await plainMade, accepts, json, scope === Scope.nobody ? { 'cache-control': 'no-cache' } : {})
    }
    const answer = encoded(await documentOf(scope.companyId, routes), accepts, json)
    // Unlike the plain one, it may have been dropped from memory before its answer is sent.
    expect(answer.body.length)
    return answer
  }
}

const json = 'application/json; charset=utf-8'
const bytesOf = (document: object): Buffer => Buffer.from(JSON.stringify(document))
