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

/** Maximum edit distance between a wrong word of a path and the one that is suggested. */
const TYPOS = 3

/** A path in the form of this API's: below `/v1`, with hyphens and single slashes, and without `.json`, as it is in the APIs of others. */
const inOurForm = (path: string): string =>
  path
    .replaceAll(/\/{2,}/g, '/')
    .replace(/\/$/, '')
    .replace(/^\/api(?=\/)/, '')
    .replace(/\.json$/, '')
    .replace(/^(?!\/v\d+\/)/, '/v1')
    .replace(/^\/v1\/\w+/, (start) => start.replaceAll('_', '-'))

/** A path without a verb that other APIs end it with, such as `/v1/products` for `/v1/products/count` or `/v1/products/batch`. */
const withoutVerb = (path: string): string => path.replace(/\/(batch|bulk|count|search|upsert)$/, '')

/** The same path in the other style: `/v1/inventories` for `/v1/api/inventories`. */
const inOtherStyle = (path: string): string =>
  path.startsWith('/v1/api/') ? path.replace('/api', '') : path.replace('/v1', '/v1/api')

const parameters = (path: string): number => path.split('{').length

/** Whether a word may be another one in the singular or plural, such as `categories` and `category`: they differ in their ends. */
const isNumberOf = (one: string, other: string): boolean => {
  const [short = '', long = ''] = [one, other].sort((a, b) => a.length - b.length)
  return long.startsWith(short.slice(0, -1))
}

/** Makes the function that returns the paths for what other APIs call otherwise, such as `/v1/outlets` for `/v1/locations`. */
function renaming(routes: readonly Route[]): (path: string) => string[] {
  const names = routes.flatMap(({ path, alsoCalled = [] }) => alsoCalled.map((other) => ({ other, path })))
  const paths = Map.groupBy(names, ({ other }) => other)
  return (path) => {
    const [name = '', ...rest] = path.replace(/^\/v\d+\/(api\/)?/, '').split('/')
    const singular = [name, name.replace(/s$/, ''), name.replace(/es$/, '')]
    const own = singular.flatMap((one) => paths.get(one) ?? []).map((one) => one.path.split('/')[2])
    return own.map((word) => ['/v1', word, ...rest].join('/'))
  }
}

/**
 * Makes the check of paths with the id of another system, such as `/v1/product/external/shop/118`: a part is empty or missing, or
 * there are too many.
 */
function externalPaths(routes: readonly Route[]): (method: string, path: string) => Problem | undefined {
  const upserts = routes.flatMap(({ method, path }) => {
    const [base, names] = path.split(/\/(?=\{)(.*)/, 2)
    return base?.endsWith('/external') ? [{ method, path, base, names: (names as string).split('/') }] : []
  })
  return (method, path) => {
    const meant = upserts.find((one) => one.method === method && `${path}/`.startsWith(`${one.base}/`))
    if (meant === undefined) return undefined
    const sent = path.slice(meant.base.length + 1).split('/')
    const right = `the path is ${meant.path}`
    const empty = meant.names.find((_, n) => (sent[n] ?? '') === '')
    if (empty !== undefined)
      return invalid([
        { in: 'path', pointer: empty.slice(1, -1), code: 'required', message: `must not be empty; ${right}` },
      ])
    const shown = path.slice(0, PATH_SHOWN)
    return new Problem('not_found', `The path ${shown} does not exist; ${right}, with / in an id as %2F.`)
  }
}

/** Makes the function that returns the list which finds the record that an upsert's path names: `/v1/products?source=shop&externalId=118`. */
function externalLists(routes: readonly Route[]): (path: string) => string | undefined {
  const lists = routes.filter(({ method, query }) => method === 'GET' && query?.externalId !== undefined)
  return (path) => {
    const [base = '', names] = path.split(/\/external\/(.*)/s, 2)
    if (names === undefined) return undefined
    // Their plural may change the last letter: `categories`. It may also be what was sent.
    const isOf = (own: string) => own.startsWith(base.slice(0, -1)) && own.length <= base.length + 2
    const list = lists.find((one) => isOf(one.path) && !one.path.includes('{'))
    // These two mean something else in a query.
    const [externalId, source] = names.replace(/[+&]/g, encodeURIComponent).split('/').reverse()
    return list && `${list.path}?${source === undefined ? '' : `source=${source}&`}externalId=${externalId}`
  }
}

/** Whether a word of paths was sent in the place of an id: it does not make the rest right, as in `/v1/order/quote`. */
const isNoId = (words: ReadonlySet<string>, place: string | undefined, sent: string | undefined): boolean =>
  place?.endsWith('d}') === true && words.has(sent as string)

/** Makes the function that returns the path which takes a method and differs in a few letters of one word, such as `/v1/products` for `/v1/prodcts`. */
function nearestPaths(
  routes: readonly Route[],
  known: ReadonlySet<string>,
): (method: string, path: string) => string | undefined {
  // By method and number of words, so that a flood of wrong paths costs little more than the patterns.
  const byLength = Map.groupBy(routes, ({ method, path }) => `${method} ${path.split('/').length}`)
  const words = new Map([...byLength].map(([key, own]) => [key, own.map(({ path }) => path.split('/'))]))
  return (method, path) => {
    const sent = path.split('/')
    const isWrong = (word: string, n: number) =>
      word !== sent[n] && (!word.startsWith('{') || isNoId(known, word, sent[n]))
    let fewest = TYPOS + 1
    let meant = undefined as string | undefined
    for (const own of words.get(`${method} ${sent.length}`) ?? []) {
      const wrong = own.findIndex(isWrong)
      if (wrong === -1 || wrong !== own.findLastIndex(isWrong)) continue
      const right = own[wrong] as string
      const given = sent[wrong] as string
      if (Math.abs(right.length - given.length) >= fewest) continue
      if (known.has(given) && !isNumberOf(right, given)) continue
      const typos = distance(right, given)
      // At least half of a short word must be right. Three letters are those of a plural, as in `categories`.
      const least = typos < TYPOS ? typos * 2 : typos * 3
      if (typos < fewest && least <= right.length) [fewest, meant] = [typos, sent.with(wrong, right).join('/')]
    }
    return meant
  }
}

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
  const externalProblem = externalPaths(routes)
  const externalList = externalLists(routes)
  const known = new Set(routes.flatMap(({ path }) => path.split('/')))
  const nearest = nearestPaths(routes, known)
  const renamed = renaming(routes)
  const knownAt = (path: string) => paths.find(({ pattern }) => pattern.test(path))
  const takes = (method: string, path: string) => knownAt(path)?.own.find((one) => one.method === method)
  const isRight = (method: string, path: string): boolean => {
    const places = takes(method, path)?.path.split('/')
    return places !== undefined && !path.split('/').some((word, n) => isNoId(known, places[n], word))
  }
  /** The path that was probably meant: spelt or named as in this API, in the other style, or with a few letters more. */
  const meantBy = (method: string, path: string): string | undefined => {
    const ours = inOurForm(path)
    const exact = (all: string[]) => all.find((one) => one !== path && isRight(method, one))
    const own = withoutVerb(ours)
    if (own !== ours) return exact([own, ...renamed(own)])
    const spelt = exact([ours, ...renamed(ours)]) ?? nearest(method, path) ?? exact([inOtherStyle(ours)])
    return spelt ?? (ours === path ? undefined : nearest(method, ours))
  }
  return {
    routeAt: (method, path) => takes(method === 'HEAD' ? 'GET' : method, path),
    wrongPath(method, path) {
      const at = knownAt(path)
      const external = externalProblem(method, path)
      if (external) return external
      const near = path.length <= PATH_SHOWN ? meantBy(method === 'HEAD' ? 'GET' : method, path) : undefined
      const own = near ?? (method === 'GET' && path.length <= PATH_SHOWN ? externalList(path) : undefined)
      if (at === undefined) {
        const meant = own === undefined ? '' : ` Did you mean ${own}?`
        return new Problem('not_found', `The path ${path.slice(0, PATH_SHOWN)} does not exist.${meant}`)
      }
      const found = method === 'DELETE' && path.length <= PATH_SHOWN ? externalList(path) : undefined
      const other = own ? `, or ${method} ${own}` : found ? `, or find its id by GET ${found}` : ''
      return new Problem('method_not_allowed', `${method} is not allowed for this path; use ${at.allow}${other}.`, [], {
        headers: { allow: at.allow },
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
