// GET /v1/openapi.json for programs and GET /docs for people: the reference, with no network but this server.
import { readFileSync } from 'node:fs'
import type { Answer, Route } from '../../http/route.ts'

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

/** The routes of the reference; the document is made, and the script read, at the first request, once for all answers. */
export function referenceRoutes(makeDocument: () => object): Route[] {
  let document: Buffer | undefined
  let script: Buffer | undefined
  const hidden = (
    path: string,
    operationId: string,
    summary: string,
    handle: () => Answer | Answer<Buffer>,
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
    handle,
  })
  return [
    hidden('/v1/openapi.json', 'openapi', 'This document', () => {
      document ??= Buffer.from(JSON.stringify(makeDocument()))
      return { status: 200, body: document, headers: { 'cache-control': 'no-cache' } }
    }),
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
