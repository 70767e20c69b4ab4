// Where records are that an input offers: sessions of two tills may be named alike, and so may tills of two outlets.
import { useQueries } from '@tanstack/react-query'
import { useScope } from '../api/company.ts'
import { type RecordData, recordQuery } from '../api/records.ts'
import { useTitleOf } from './record-title.ts'

/** The member that says where a record is, and the resource that it refers to. */
const placed = {
  sessions: { member: 'stationId', one: 'station', many: 'stations' },
  stations: { member: 'outletId', one: 'outlet', many: 'outlets' },
} as const

/** The titles of records that are offered: sessions have their till, and tills whose name another one has their outlet. */
export function useOptionTitles(many: string, records: readonly RecordData[]): (record: RecordData) => string {
  const scope = useScope()
  const titleOf = useTitleOf()
  const place = Object.hasOwn(placed, many) ? placed[many as keyof typeof placed] : undefined
  const titles = records.map((record) => titleOf(many, record))
  const isPlaced = (title: string) => many === 'sessions' || titles.indexOf(title) !== titles.lastIndexOf(title)
  const ids = new Set(
    place && records.flatMap((record, n) => (isPlaced(titles[n] as string) ? (record[place.member] ?? []) : [])),
  )
  const ours = [...ids].filter((id) => /^[0-9a-f]{24}$/.test(id))
  const names = useQueries({
    queries: ours.map((id) => ({
      ...recordQuery(scope, place?.one ?? '', place?.many ?? '', id),
      retry: false,
      staleTime: 60_000,
    })),
    combine: (read) =>
      new Map(
        read.flatMap(({ data }, n) => (data ? [[ours[n] as string, titleOf(place?.many ?? '', data.record)]] : [])),
      ),
  })
  return (record) => {
    const title = titleOf(many, record)
    const at = place && isPlaced(title) ? names.get(record[place.member]) : undefined
    return at === undefined ? title : `${title} · ${at}`
  }
}
