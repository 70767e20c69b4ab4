// The list of events, newest first; arrow keys move from one to the next.

import { Text } from '@mantine/core'
import { type KeyboardEvent, memo, type ReactNode } from 'react'
import { useCompany } from '../../api/company.ts'
import { useResources } from '../../api/resources.ts'
import { locale } from '../../language.ts'
import { useTitleOf } from '../../parts/record-title.ts'
import { text } from '../../texts/automation.ts'
import classes from './EventList.module.css'
import { StockName } from './StockName.tsx'
import type { FeedEvent } from './triggers.ts'

interface EventListProps {
  readonly events: readonly FeedEvent[]
  readonly chosen: string | undefined
  readonly choose: (event: FeedEvent) => void
  /** Shown after the last event. */
  readonly children: ReactNode
}

export function EventList({ events, chosen, choose, children }: EventListProps) {
  const nameOf = useEventName()
  const { timezone } = useCompany()

  function step(event: KeyboardEvent<HTMLElement>) {
    const row = (event.target as HTMLElement).closest('li')
    const next = { ArrowDown: row?.nextElementSibling, ArrowUp: row?.previousElementSibling }[event.key]
    const button = next?.querySelector('button')
    if (!button) return
    event.preventDefault()
    button.focus()
    button.click()
  }

  return (
    <>
      <ol aria-label={text.events.list} onKeyDown={step}>
        {events.map((event) => (
          <Row
            key={event.id}
            event={event}
            isChosen={event.id === chosen}
            choose={choose}
            name={nameOf(event)}
            timezone={timezone}
          />
        ))}
      </ol>
      {children}
    </>
  )
}

/** Names what an event is about in a few words, with amounts and times of the open company. */
export function useEventName(): (event: FeedEvent) => string {
  const resources = useResources()
  const titleOf = useTitleOf()
  return ({ resource, recordId, data }) => {
    const many = resources.find(({ one }) => one === resource)?.many
    if (resource === 'custom') return JSON.stringify(data).slice(0, 120)
    if (many === undefined) return data.name ?? recordId ?? ''
    const title = titleOf(many, data as never)
    return typeof title === 'string' ? title : (recordId ?? '')
  }
}

interface RowProps {
  readonly event: FeedEvent
  readonly isChosen: boolean
  readonly choose: (event: FeedEvent) => void
  readonly name: string
  readonly timezone: string | undefined
}

const Row = memo(({ event, isChosen, choose, name, timezone }: RowProps) => (
  <li className={classes.row}>
    <button type="button" className={classes.button} onClick={() => choose(event)} aria-pressed={isChosen}>
      <time className={classes.time} dateTime={event.createdAt}>
        {timeOf(event.createdAt, timezone)}
      </time>
      <span className={classes.type} data-verb={event.type.split('.').at(-1)}>
        {event.type}
      </span>
      <Text span inherit className={`cut ${classes.name}`}>
        <bdi>{event.resource === 'inventory' ? <StockName level={event.data} /> : name}</bdi>
      </Text>
    </button>
  </li>
))

/** The time, with the date if it is not the same day. */
function timeOf(at: string, timeZone: string | undefined): string {
  const date = new Date(at)
  const zone = timeZone === undefined ? {} : { timeZone }
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'short', ...zone })
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', ...zone }).format(date)
  return day.format(date) === day.format(new Date()) ? time : `${day.format(date)} ${time}`
}
