// The built console as the server sends it: files in memory with their compressed forms, and one page for all its
// paths.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { Problem } from '../../core/problem.ts'
import { type Compressed, encoded } from '../../http/compressed.ts'
import type { Answer, Call, Route } from '../../http/route.ts'

/** The folder into which `npm run console` builds. */
const builtConsole = fileURLToPath(new URL('../../../../console/dist/', import.meta.url))

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  json: 'application/json',
  // As plain text, which browsers show.
  md: 'text/plain; charset=utf-8',
}

/**
 * The browser refuses everything that is not from this server. Mantine writes its styles into the page; scripts are
 * only files.
 */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const pageHeaders = {
  // Pages are not cached either: going back after signing out shows nothing of them.
  'cache-control': 'no-store',
  'content-security-policy': pagePolicy,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

const unbuilt = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Cashwrap</title></head>
  <body>
    <h1>The console is not built</h1>
    <p>Run <code>npm run console</code> in the folder of Cashwrap, then start the service again.
       The reference of the API is at <a href="/docs">/docs</a>.</p>
  </body>
</html>
`

/** One file in each of its forms. */
interface Asset extends Compressed {
  /** Below the built folder, with slashes. */
  readonly name: string
  readonly type: string
}

/** The build at the start of the process; a later build is for the next process. */
let assets: readonly Asset[] | undefined

function readAssets(): readonly Asset[] {
  if (!existsSync(`${builtConsole}index.html`)) return []
  const read = (path: string) => (existsSync(path) ? readFileSync(path) : undefined)
  return readdirSync(builtConsole, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const extension = entry.name.slice(entry.name.lastIndexOf('.') + 1)
    const type = types[extension]
    if (!entry.isFile() || type === undefined) return []
    const path = `${entry.parentPath}/${entry.name}`
    const name = path.slice(builtConsole.length).replace(/^\/+/, '')
    return [{ name, type, plain: readFileSync(path), br: read(`${path}.br`), gzip: read(`${path}.gz`) }]
  })
}

/** What the sign-in page shows of the service. */
interface SignInSettings {
  /** The name of the OpenID provider on its button, if there is one. */
  readonly provider?: string | undefined
  /** Whether the service mails links to a new password. */
  readonly sendsMail?: boolean
}

/** The page with these settings. Compressed once, in about a millisecond. */
function withSettings(page: Asset, { provider, sendsMail }: SignInSettings): Asset {
  const content = provider?.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  const metas = [
    content && `<meta name="cashwrap-sso" content="${content}">`,
    sendsMail && '<meta name="cashwrap-mail">',
  ]
  const html = page.plain.toString().replace('</head>', () => `${metas.filter(Boolean).join('')}</head>`)
  const plain = Buffer.from(html)
  return { ...page, plain, br: brotliCompressSync(plain), gzip: gzipSync(plain) }
}

/**
 * The routes of the console: its files by their names, and its page everywhere else below `/console`. `/` redirects
 * there.
 */
export function consoleRoutes(settings: SignInSettings = {}): Route[] {
  assets ??= readAssets()
  const isPage = ({ name }: Asset) => name === 'index.html'
  const isPlain = settings.provider === undefined && !settings.sendsMail
  const files = assets.map((file) => (isPage(file) && !isPlain ? withSettings(file, settings) : file))
  const index = files.find(isPage)
  const page = ({ accepts }: Call): Answer | Answer<Buffer> =>
    index === undefined
      ? { status: 200, body: unbuilt, contentType: types.html as string, headers: pageHeaders }
      : encoded(index, accepts, index.type, pageHeaders)
  const answer =
    (file: Asset) =>
    ({ accepts }: Call): Answer<Buffer> =>
      encoded(file, accepts, file.type, {
        // Their names contain a digest of their contents.
        'cache-control': isInAssets(file.name) ? 'public, max-age=31536000, immutable' : 'no-cache',
        'x-content-type-options': 'nosniff',
        ...(file === index && pageHeaders),
      })
  const named = new Map(files.map((file) => [pathOf(file), file]))
  const leading = (): Answer => ({ status: 302, body: '', headers: { location: '/console/' } })
  return [
    hidden('/', 'root', leading),
    hidden('/console', 'console', leading),
    hidden('/console/', 'consolePage', page),
    ...files
      .filter(({ name }) => !isInAssets(name))
      .map((file) => hidden(pathOf(file), `console ${file.name}`, answer(file))),
    // One route for all of them: a route for each would be a third of all routes, and of the time to make a server.
    hidden('/console/assets/*', 'consoleAsset', (call) => {
      const file = named.get(call.path)
      // A file of an old build: if a page were sent in place of a script, the browser would report an error in the
      // script.
      if (file === undefined) throw new Problem('not_found', `The path ${call.path.slice(0, 200)} does not exist.`)
      return answer(file)(call)
    }),
    hidden('/console/*', 'consolePages', page),
  ]
}

const pathOf = ({ name }: Asset): string => `/console/${name}`

const isInAssets = (name: string): boolean => name.startsWith('assets/')

const hidden = (path: string, operationId: string, handle: Route['handle']): Route => ({
  method: 'GET',
  path,
  surface: 'public',
  operationId,
  semaphore: 'none',
  tag: 'Console',
  summary: 'The console',
  replies: {},
  isHidden: true,
  isPage: true,
  handle,
})
