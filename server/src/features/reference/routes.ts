// GET /v1/openapi.json for programs and GET /docs for people: the reference, with no network but this server.
import { readFileSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import type { ApiDocument } from '../../http/openapi.ts'
import { overlay } from '../../http/overlay.ts'
import type { Answer, Call, Route } from '../../http/route.ts'
import { Scope } from '../../http/scope.ts'
import { CACHED_DOCUMENT_BYTES, CACHED_DOCUMENTS } from '../../limits.ts'

/** Scalar's whole page in one file, as it comes with its package; its version stands in the path, so that it may be cached for good. */
const scalar = import.meta.resolve('@scalar/fastify-api-reference')
const scriptFile = new URL('js/standalone.js', scalar)
const { version } = JSON.parse(readFileSync(new URL('../package.json', scalar), 'utf8'))
const scriptPath = `/docs/scalar-${version}.js`

/** What Scalar is told. All that would reach for scalar.com or store a key is off. */
const settings = {
  url: '/v1/openapi.json',
  title: 'Cashwrap API',
  theme: 'default',
  layout: 'modern',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'direct',
  defaultOpenFirstTag: false,
  orderSchemaPropertiesBy: 'preserve',
  authentication: { preferredSecurityScheme: 'companyKey' },
  // Narrow columns are broken between words, not inside them.
  customCss: '.scalar-app .markdown :is(td, th, td code) { overflow-wrap: normal; word-break: normal }',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
}

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Cashwrap API</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
  </head>
  <body>
    <noscript>This page needs JavaScript. The same reference for programs: <a href="/v1/openapi.json">/v1/openapi.json</a></noscript>
    <script id="api-reference" data-configuration='${JSON.stringify(settings)}'></script>
    <script src="${scriptPath}"></script>
  </body>
</html>
`

/** The browser itself refuses whatever is not of this server. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Makes the document of some routes; of all that there are where none are named. */
type MakeDocument = (routes?: readonly Route[]) => ApiDocument

/**
 * The routes that look otherwise to the company of a scope than to others, with the paths and methods of plain ones;
 * undefined: there are none. The same array means the same document, so that each change needs an array of its own.
 */
export type CompanyRoutes = (scope: Scope) => Promise<readonly Route[] | undefined>

/** The routes of the reference; the document is made, and the script read, at the first request, once for all answers. */
export function referenceRoutes(makeDocument: MakeDocument, companyRoutes: CompanyRoutes): Route[] {
  const documents = companyDocuments(makeDocument, companyRoutes)
  let script: Buffer | undefined
  const hidden = (
    path: string,
    operationId: string,
    summary: string,
    handle: Route['handle'],
    takesCompanyKey = false,
  ): Route => ({
    method: 'GET',
    path,
    surface: 'public',
    operationId,
    lane: 'none',
    tag: 'Reference',
    summary,
    replies: {},
    isHidden: true,
    takesCompanyKey,
    handle,
  })
  return [
    hidden('/v1/openapi.json', 'openapi', 'This document', documents, true),
    hidden('/docs', 'docs', 'The reference for people', () => ({
      status: 200,
      body: page,
      contentType: 'text/html; charset=utf-8',
      headers: {
        'cache-control': 'no-cache',
        'content-security-policy': pagePolicy,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      },
    })),
    hidden(scriptPath, 'docsScript', 'The program of the page', () => {
      script ??= readFileSync(scriptFile)
      return {
        status: 200,
        body: script,
        contentType: 'text/javascript; charset=utf-8',
        headers: { 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' },
      }
    }),
  ]
}

/** Answers with the document: to a company's key as the company sees it. */
function companyDocuments(makeDocument: MakeDocument, companyRoutes: CompanyRoutes) {
  const kept = new LRUCache<string, { readonly routes: readonly Route[]; readonly bytes: Buffer }>({
    max: CACHED_DOCUMENTS,
    maxSize: CACHED_DOCUMENT_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length,
  })
  let document: ApiDocument | undefined
  let bytes: Buffer | undefined
  let lay: ((own: ApiDocument) => ApiDocument) | undefined

  function plain(): ApiDocument {
    document ??= makeDocument()
    return document
  }

  function plainBytes(): Buffer {
    bytes ??= bytesOf(plain())
    return bytes
  }

  function documentOf(companyId: string, routes: readonly Route[]): Buffer {
    const known = kept.get(companyId)
    if (known?.routes === routes) return known.bytes
    lay ??= overlay(plain())
    const bytes = bytesOf(lay(makeDocument(routes)))
    kept.set(companyId, { routes, bytes })
    return bytes
  }

  async function answerTo({ scope, expect }: Call): Promise<Answer<Buffer>> {
    const routes = await companyRoutes(scope)
    if (routes === undefined) return { status: 200, body: plainBytes() }
    const body = documentOf(scope.companyId, routes)
    // Unlike the plain one it may have gone from memory before its answer is taken.
    expect(body.length)
    return { status: 200, body }
  }

  return (call: Call): Answer<Buffer> | Promise<Answer<Buffer>> =>
    call.scope === Scope.nobody
      ? { status: 200, body: plainBytes(), headers: { 'cache-control': 'no-cache' } }
      : answerTo(call)
}

const bytesOf = (document: object): Buffer => Buffer.from(JSON.stringify(document))
