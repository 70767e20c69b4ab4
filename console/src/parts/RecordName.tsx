// The name of a referenced record, as a link to it; an outline while it is read, and the id itself if there is no such record.
import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useScope } from '../api/company.ts'
import { type RecordData, recordQuery, someQuery } from '../api/records.ts'
import { useResource } from '../api/resources.ts'
import { text } from '../texts/records.ts'
import { useOptionTitles } from './option-places.ts'
import { membersInTitle, useTitleOf } from './record-title.ts'

interface RecordNameProps {
  readonly many: string
  readonly id: string
  /** Leaves the link out: for a row that is itself a link. */
  readonly isPlain?: boolean
  /** Leaves out the time that names an order without a receipt number: a cell has no room for it. */
  readonly isShort?: boolean
  /** Shown instead of the id if there is no such record. */
  readonly missing?: string | undefined
}

export function RecordName({ many, id, isPlain = false, isShort = false, missing }: RecordNameProps) {
  const scope = useScope()
  const titleOf = useTitleOf()
  const { one } = useResource(many)
  const isOurs = /^[0-9a-f]{24}$/.test(id)
  const { data, isLoading } = useQuery({
    ...recordQuery(scope, one, many, id),
    enabled: isOurs,
    staleTime: 60_000,
    retry: false,
  })
  if (isLoading) return <span aria-busy="true" className="waiting" />
  if (data === undefined && missing !== undefined) return missing
  if (data === undefined)
    return (
      <Text span inherit ff="monospace" fz="xs" c="dimmed" className="cut" title={id}>
        {id}
      </Text>
    )
  if (isShort && many === 'orders' && membersInTitle(many, data.record).includes('occurredAt'))
    return <span className="muted">{text.noReceiptNumber}</span>
  const title = many === 'stations' ? <StationTitle station={data.record} /> : <bdi>{titleOf(many, data.record)}</bdi>
  if (isPlain) return title
  return (
    <Anchor
      component={Link}
      to={
        many === 'variants'
          ? `/c/${scope.companyId}/products/${data.record.productId}`
          : `/c/${scope.companyId}/${many}/${id}`
      }
    >
      {title}
    </Anchor>
  )
}

/** The name of a till, with its outlet if that of another one is the same. */
function StationTitle({ station }: { readonly station: RecordData }) {
  const alike = useQuery({
    ...someQuery(useScope(), 'stations', { searchByName: station.name, limit: 100 }),
    staleTime: 60_000,
  })
  const other = alike.data?.data.find(({ id, name }) => id !== station.id && name === station.name)
  const titleOf = useOptionTitles('stations', other === undefined ? [station] : [station, other])
  return <bdi>{titleOf(station)}</bdi>
}
