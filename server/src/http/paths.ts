// Paths of requests, and the response for those that do not exist.
import { distance } from 'fastest-levenshtein'
import { invalid, Problem } from '../core/problem.ts'
import type { Route } from './route.ts'

/** What is known of any path. */
export interface Paths {
  /** The route that handles a request with this method. */
  routeAt(method: string, path: string): Route | undefined
  /** The problem for a request that no route handles: 405 with `Allow` if only its method is wrong, otherwise 404. */
  wrongPath(method: string, path: string): Problem
}

/** Characters of a wrong path that are shown; for a longer one, none is suggested. */
const PATH_SHOWN = 200

/** Maximum edit distance between a wrong path and the suggested one, of which more than three quarters must be right. */
const TYPOS = 2

const parameters = (path: string): number => path.split('{').length

/** Makes the table of the paths of routes. */
export function pathsOf(routes: readonly Route[]): Paths {
  // A word in a path comes before a parameter in its place.
  const byPath = [...Map.groupBy(routes, ({ path }) => path)].sort(
    ([one], [other]) => parameters(one) - parameters(other),
  )
  const paths = byPath.map(([path, own]) => {
    const methods = own.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    const parts = path.split(/\{\w+\}/).map((part) => RegExp.escape(part))
    return { pattern: new RegExp(`^${parts.join('[^/]*')}$`), allow: methods.sort().join(', '), own }
  })
  const upserts = routes.flatMap(({ method, path }) => {
    const [base, names] = path.split(/\/(?=\{)(.*)/, 2)
    return base?.endsWith('/external') ? [{ method, base, names: (names as string).split('/') }] : []
  })
  /** The problem for an id of another system that is empty, as in `/v1/variant/external/`. */
  const emptySegment = (method: string, path: string): Problem | undefined => {
    const meant = upserts.find((one) => one.method === method && `${path}/`.startsWith(`${one.base}/`))
    if (meant === undefined) return undefined
    const sent = path.slice(meant.base.length + 1).split('/')
    const empty = meant.names.find((_, n) => (sent[n] ?? '') === '')
    if (empty === undefined) return undefined
    return invalid([{ in: 'path', pointer: empty.slice(1, -1), code: 'required', message: 'must not be empty' }])
  }
  /** The closest path that takes this method, such as `/v1/products` for `GET /v1/product`. */
  const nearest = (method: string, path: string): string | undefined => {
    const sent = path.split('/')
    const near = routes.flatMap((route) => {
      const words = route.path.split('/')
      if (route.method !== method || words.length !== sent.length) return []
      const meant = words.map((word, n) => (word.startsWith('{') ? sent[n] : word)).join('/')
      if (Math.abs(meant.length - path.length) > TYPOS) return []
      const typos = distance(meant, path)
      return typos <= TYPOS && typos * 4 < meant.length ? [{ meant, typos }] : []
    })
    return near.sort((one, other) => one.typos - other.typos)[0]?.meant
  }
  const knownAt = (path: string) => paths.find(({ pattern }) => pattern.test(path))
  return {
    routeAt: (method, path) => knownAt(path)?.own.find((one) => one.method === (method === 'HEAD' ? 'GET' : method)),
    wrongPath(method, path) {
      const known = knownAt(path)
      const empty = emptySegment(method, path)
      if (empty) return empty
      const near = path.length <= PATH_SHOWN ? nearest(method === 'HEAD' ? 'GET' : method, path) : undefined
      if (known === undefined) {
        const meant = near === undefined ? '' : ` Did you mean ${near}?`
        return new Problem('not_found', `The path ${path.slice(0, PATH_SHOWN)} does not exist.${meant}`)
      }
      const { allow } = known
      const other = near === undefined ? '' : `, or ${method} ${near}`
      return new Problem('method_not_allowed', `${method} is not allowed for this path; use ${allow}${other}.`, [], {
        headers: { allow },
      })
    },
  }
}

/** The path of a URL, without its query. */
export function pathOf(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? url : url.slice(0, at)
}

/** Makes URLs lose a trailing slash of their path, which is ignored (decisions §2) unless a route's own path ends in one. */
export function slashIgnoring(routes: readonly Pick<Route, 'path'>[]): (url: string) => string {
  const kept = new Set(routes.map(({ path }) => path).filter((path) => path.endsWith('/')))
  return (url) => {
    const { length } = pathOf(url)
    if (url[length - 1] !== '/' || kept.has(url.slice(0, length))) return url
    return url.slice(0, length - 1) + url.slice(length)
  }
}
