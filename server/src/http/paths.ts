// Paths of requests, and the response for those that do not exist.
import { invalid, Problem } from '../core/problem.ts'
import type { Route } from './route.ts'

/** What is known of any path. */
export interface Paths {
  /** The route that handles a request with this method. */
  routeAt(method: string, path: string): Route | undefined
  /** The problem for a request that no route handles: 405 with `Allow` if only its method is wrong, otherwise 404. */
  wrongPath(method: string, path: string): Problem
}

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
  const knownAt = (path: string) => paths.find(({ pattern }) => pattern.test(path))
  return {
    routeAt: (method, path) => knownAt(path)?.own.find((one) => one.method === (method === 'HEAD' ? 'GET' : method)),
    wrongPath(method, path) {
      const known = knownAt(path)
      const empty = emptySegment(method, path)
      if (empty) return empty
      if (known === undefined) return new Problem('not_found', `The path ${path.slice(0, 200)} does not exist.`)
      const { allow } = known
      return new Problem('method_not_allowed', `${method} is not allowed for this path; use ${allow}.`, [], {
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
