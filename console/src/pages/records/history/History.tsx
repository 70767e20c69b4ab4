// The history of a record: who changed what, and when, as far back as events are kept.
import { Badge, Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useScope } from '../../../api/company.ts'
import type { RecordData } from '../../../api/records.ts'
import { type Resource, useResources } from '../../../api/resources.ts'
import { Card } from '../../../parts/Card.tsx'
import { Failure } from '../../../parts/Failure.tsx'
import { useFormat } from '../../../parts/format.ts'
import { useTitleOf } from '../../../parts/record-title.ts'
import { RowsSkeleton } from '../../../parts/Skeletons.tsx'
import { text } from '../../../texts/history.ts'
import { labelOf } from '../../../texts/members.ts'
import { ChangeList } from './ChangeList.tsx'
import { changesOf } from './changes.ts'
import classes from './History.module.css'
import { actorsQuery, historyQuery, type RecordEvent } from './history.ts'

/** Events that are shown at first, and more each time. */
const step = 30
const keptMs = 30 * 24 * 60 * 60 * 1000

interface HistoryProps {
  readonly resource: Resource
  readonly record: RecordData
  /** Ids of records whose changes are changes of this one: the variants of a product. */
  readonly parts?: readonly string[]
  /** How many parts the record has, if more than these. */
  readonly partCount?: number
}

/** The server takes at most 100 ids. */
const mostIds = 100

export function History({ resource, record, parts = [], partCount = parts.length }: HistoryProps) {
  const scope = useScope()
  const format = useFormat()
  const [most, setMost] = useState(step)
  const ids = [record.id, ...parts].slice(0, mostIds)
  const { data: read, error, refetch } = useQuery(historyQuery(scope, resource.many, ids))
  if (read === undefined) return <HistoryWaiting error={error} retry={() => void refetch()} />
  const { events: data, isCut } = read
  const left = partCount - (ids.length - 1)
  const isOld = Date.now() - Date.parse(record.createdAt) > keptMs
  return (
    <Card title={text.title} aside={data.length > 0 ? data.length : undefined} isFlush>
      {data.length > 0 && (
        <ol className={classes.events} aria-label={text.list}>
          {data.slice(0, most).map((event) => (
            <Entry key={event.id} event={event} isPart={event.recordId !== record.id} />
          ))}
        </ol>
      )}
      <Stack align="flex-start" className={classes.end} gap="sm">
        {data.length > most && (
          <Button variant="default" size="xs" onClick={() => setMost(most + step)}>
            {text.older}
          </Button>
        )}
        {data.length === 0 && <Text size="sm">{text.none}</Text>}
        {isCut && <Text size="sm">{text.cut(data.length)}</Text>}
        {left > 0 && <Text size="sm">{text.partsLeft(left)}</Text>}
        <Text size="sm" c="dimmed">
          {isOld ? text.keptSince(format.date(record.createdAt)) : text.kept}
        </Text>
      </Stack>
    </Card>
  )
}

/** In place of a history that is not read yet, or could not be. */
export const HistoryWaiting = ({ error, retry }: { error: unknown; retry: () => void }) => (
  <Card title={text.title}>{error ? <Failure error={error} retry={retry} /> : <RowsSkeleton rows={4} />}</Card>
)

function Entry({ event, isPart }: { event: RecordEvent; isPart: boolean }) {
  const titleOf = useTitleOf()
  const format = useFormat()
  const resource = useResources().find(({ one }) => one === event.resource)
  const verb = event.type.split('.').at(-1) ?? ''
  const what = text.happened[verb] ?? labelOf(verb)
  const changes = changesOf(event, (name) => resource?.members.find((member) => member.name === name)?.schema ?? {})
  return (
    <li className={classes.event}>
      <div className={classes.head}>
        <Text span fw={500} className="name">
          {isPart && resource !== undefined ? text.of(what, titleOf(resource.many, event.data as RecordData)) : what}
        </Text>
        <Who event={event} />
        <time dateTime={event.createdAt} className={classes.time} title={format.ago(event.createdAt)}>
          {format.dateTime(event.createdAt)}
        </time>
      </div>
      {changes.length > 0 && <ChangeList changes={changes} currency={event.data.currency as string | undefined} />}
    </li>
  )
}

/** Who made the change, by name where there is one. */
function Who({ event: { actor, recordId } }: { event: RecordEvent }) {
  const { data: names } = useQuery(actorsQuery(useScope()))
  if (names === undefined) return null
  const name = actor?.id === undefined ? undefined : names.get(`${actor.type} ${actor.id}`)
  const unnamed = { key: text.deletedKey, user: text.formerUser, operator: text.operator }
  const kept = { key: text.organizationKey, user: text.member, operator: text.operator }
  const isKept = actor?.id !== undefined && names.has(`${actor.type} ${actor.id}`)
  const shown = name ?? (actor === undefined ? text.service : (isKept ? kept : unnamed)[actor.type])
  return (
    <span className={classes.who} title={actor?.id} key={recordId}>
      {text.by('')}
      <bdi>{shown}</bdi>
      {actor?.type === 'key' && name !== undefined && (
        <Badge size="xs" color="gray" ml={6}>
          {text.key}
        </Badge>
      )}
    </span>
  )
}
