// Reads the names of records that exported rows refer to, in few requests for any number of rows.

import { asProblem } from '../../api/problem.ts'
import { type ListQuery, type Page, type RecordData, readRecord } from '../../api/records.ts'
import { get } from '../../api/request.ts'
import type { Resource } from '../../api/resources.ts'
import { titleOf } from '../../parts/record-title.ts'

/** Below this number, names are read one by one; otherwise the whole list, 1,000 records per request. */
const few = 50
const atOnce = 8

export interface ReferenceNames {
  /** Reads the names of these ids that are not known yet. */
  learn(many: string, ids: readonly string[]): Promise<void>
  /** A record's name; undefined if there is no such record. */
  nameOf(many: string, id: string): string | undefined
}

export function referenceNames(
  scope: { readonly companyId: string },
  resources: readonly Resource[],
  signal?: AbortSignal,
): ReferenceNames {
  const names = new Map<string, Map<string, string | undefined>>()
  /** Lists that were read completely. */
  const whole = new Set<string>()
  const stations: RecordData[] = []
  const namesOf = (many: string) => {
    const known = names.get(many) ?? new Map<string, string | undefined>()
    names.set(many, known)
    return known
  }
  const keep = (many: string, record: RecordData) => {
    const title = titleOf(many, record)
    if (many === 'stations') stations.push(record)
    namesOf(many).set(record.id, title === record.id ? undefined : title)
  }

  async function readAll({ many, remove }: Resource) {
    const base: ListQuery = { limit: 1000, ...(remove === 'soft' && { includeDeleted: true }) }
    let cursor: string | undefined
    do {
      const page = await get<Page>(scope, `/v1/${many}`, { query: { ...base, cursor }, signal })
      for (const record of page.data) keep(many, record)
      cursor = page.meta.nextCursor
    } while (cursor !== undefined)
  }

  async function readOne({ one, many }: Resource, id: string) {
    try {
      keep(many, (await readRecord(scope, one, id, signal)).record)
    } catch (error) {
      // An id of another system, or of a deleted record, has no name.
      if (asProblem(error).status !== 404) throw error
      namesOf(many).set(id, undefined)
    }
  }

  async function learn(many: string, ids: readonly string[]) {
    const resource = resources.find((one) => one.many === many)
    if (resource === undefined) return
    const unknown = () => [...new Set(ids)].filter((id) => /^[0-9a-f]{24}$/.test(id) && !namesOf(many).has(id))
    // Whether another station has a name is known once all of them are.
    if (unknown().length > (many === 'stations' ? 0 : few) && !whole.has(many)) {
      whole.add(many)
      await readAll(resource)
      if (many === 'stations') await tellApart()
    }
    const rest = unknown()
    for (let n = 0; n < rest.length; n += atOnce)
      await Promise.all(rest.slice(n, n + atOnce).map((id) => readOne(resource, id)))
  }

  /** Adds the outlets to the names of stations that several have. */
  async function tellApart() {
    const alike = Map.groupBy(stations, ({ name }) => name)
    const shared = [...alike.values()].filter(({ length }) => length > 1).flat()
    await learn(
      'outlets',
      shared.flatMap(({ outletId }) => outletId ?? []),
    )
    for (const { id, name, outletId } of shared) {
      const outlet = namesOf('outlets').get(outletId)
      if (outlet !== undefined) namesOf('stations').set(id, `${name} · ${outlet}`)
    }
  }

  return { learn, nameOf: (many, id) => namesOf(many).get(id) }
}
