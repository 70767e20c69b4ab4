// Where records are that an input offers: sessions of two tills may be named alike, and so may tills of two outlets.
import { useQueries } from '@tanstack/react-query'
import { useScope } from '../api/company.ts'
import { type RecordData, recordQuery } from '../api/records.ts'
import { useTitleOf } from './record-title.ts'

/**
 * The titles of records that are offered: sessions have their till, and tills whose name another one has their outlet, also where they
 * are the tills of sessions.
 */
export function useOptionTitles(many: string, records: readonly RecordData[]): (record: RecordData) => string {
  const titleOf = useTitleOf()
  const ofSessions = useRecords('station', 'stations', many === 'sessions' ? idsIn(records, 'stationId') : [])
  const stations = many === 'stations' ? records : [...ofSessions.values()]
  const titles = stations.map((station) => titleOf('stations', station))
  const isShared = (title: string) => titles.indexOf(title) !== titles.lastIndexOf(title)
  const shared = stations.filter((_, n) => isShared(titles[n] as string))
  const outlets = useRecords('outlet', 'outlets', idsIn(shared, 'outletId'))

  function stationTitle(station: RecordData): string {
    const title = titleOf('stations', station)
    const outlet = isShared(title) ? outlets.get(station.outletId) : undefined
    return outlet === undefined ? title : `${title} · ${titleOf('outlets', outlet)}`
  }

  return (record) => {
    if (many === 'stations') return stationTitle(record)
    const station = many === 'sessions' ? ofSessions.get(record.stationId) : undefined
    return [titleOf(many, record), station && stationTitle(station)].filter(Boolean).join(' · ')
  }
}

/** The ids in a member; it may also hold ids of another system. */
const idsIn = (records: readonly RecordData[], member: string): string[] => [
  ...new Set(records.map((record) => record[member]).filter((id) => /^[0-9a-f]{24}$/.test(id ?? ''))),
]

/** Records by their ids, as far as they are read. */
function useRecords(one: string, many: string, ids: readonly string[]): ReadonlyMap<string, RecordData> {
  const scope = useScope()
  return useQueries({
    queries: ids.map((id) => ({ ...recordQuery(scope, one, many, id), retry: false, staleTime: 60_000 })),
    combine: (read) => new Map(read.flatMap(({ data }) => (data ? [[data.record.id, data.record]] : []))),
  })
}
