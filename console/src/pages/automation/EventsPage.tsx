// The live event stream of a company, which can be paused, filtered, and inspected.
import { Button, Drawer, Group, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconActivity, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { messagesByPointer } from '../../api/problem.ts'
import { Empty } from '../../parts/Empty.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { RowsSkeleton } from '../../parts/Skeletons.tsx'
import { text } from '../../texts/automation.ts'
import { EventDetail } from './EventDetail.tsx'
import { Filters, useFilters } from './EventFilters.tsx'
import { EventList } from './EventList.tsx'
import classes from './EventsPage.module.css'
import type { FeedEvent } from './triggers.ts'
import { type Arrival, mostEvents, useEvents } from './use-events.ts'

const { events: words } = text

export function EventsPage() {
  const [filters, setFilters] = useFilters()
  const [isPaused, setPaused] = useState(false)
  const [chosen, setChosen] = useState<FeedEvent>()
  const isSmall = useMediaQuery('(max-width: 62em)')
  const stream = useEvents(filters, isPaused)
  const { events, connection, problem, arrived, isReady } = stream
  const messages = messagesByPointer(problem)
  const isFiltered = filters.type !== undefined || filters.recordId !== undefined
  const detail = chosen && (
    <EventDetail
      key={chosen.id}
      event={chosen}
      close={() => setChosen(undefined)}
      filter={(next) => setFilters({ ...filters, ...next })}
    />
  )

  return (
    <PageBody size="full">
      <PageHeader
        guide="events"
        title={words.title}
        description={words.description}
        aside={messages.size === 0 && <State connection={connection} isPaused={isPaused} />}
      >
        <Button
          variant="default"
          leftSection={isPaused ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
          onClick={() => setPaused(!isPaused)}
        >
          {isPaused ? words.resume : words.pause}
        </Button>
      </PageHeader>
      <Filters {...{ filters, setFilters, messages }} />
      {problem && messages.size === 0 && <Failure isManual error={problem} retry={stream.retry} />}
      {(isReady || problem === undefined) && (
        <div className={classes.panes} data-split={(chosen !== undefined && !isSmall) || undefined}>
          <div className={classes.list}>
            {!isReady ? (
              <div className={classes.outlines}>
                <RowsSkeleton rows={10} />
              </div>
            ) : (
              <EventList events={events} chosen={chosen?.id} choose={setChosen}>
                {events.length === 0 && (
                  <Empty
                    icon={IconActivity}
                    title={isFiltered ? words.emptyFiltered : words.empty}
                    hint={words.emptyHint}
                  />
                )}
                <End stream={stream} />
              </EventList>
            )}
          </div>
          {!isSmall && detail && (
            <aside className={classes.detail} aria-label={words.one}>
              {detail}
            </aside>
          )}
        </div>
      )}
      <Announcer arrived={arrived} />
      <DetailDrawer isOpen={isSmall === true && chosen !== undefined} close={() => setChosen(undefined)}>
        {detail}
      </DetailDrawer>
    </PageBody>
  )
}

function State({ connection, isPaused }: { connection: 'connecting' | 'live' | 'away'; isPaused: boolean }) {
  const state = isPaused ? 'paused' : connection
  return (
    <Group gap={7} role="status" className={classes.state} data-state={state}>
      <span className={classes.light} aria-hidden />
      <Text size="sm">{words[state]}</Text>
    </Group>
  )
}

const announceMs = 8_000

/** Announces new events now and then: a screen reader cannot keep up with every one. */
function Announcer({ arrived }: { arrived: Arrival }) {
  const [said, setSaid] = useState('')
  const latest = useRef(arrived)
  const reported = useRef(0)
  latest.current = arrived
  useEffect(() => {
    const timer = setInterval(() => {
      const { count, last } = latest.current
      const fresh = count - reported.current
      reported.current = count
      if (fresh > 0) setSaid(words.arrived(fresh, last))
    }, announceMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className={classes.hidden} role="status">
      {said}
    </div>
  )
}

/** What comes after the oldest event on the page. */
function End({ stream }: { stream: ReturnType<typeof useEvents> }) {
  const { isCut, isLooking, hasEarlier, lookBack } = stream
  return (
    <div className={classes.end}>
      {isCut ? (
        words.full(mostEvents)
      ) : hasEarlier ? (
        <Button variant="default" size="xs" onClick={() => void lookBack()} disabled={isLooking}>
          {isLooking ? words.looking : words.earlier}
        </Button>
      ) : (
        words.noEarlier
      )}
    </div>
  )
}

interface DetailDrawerProps {
  readonly isOpen: boolean
  readonly close: () => void
  readonly children: ReactNode
}

function DetailDrawer({ isOpen, close, children }: DetailDrawerProps) {
  return (
    <Drawer.Root opened={isOpen} onClose={close} size="100%" padding={0}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={words.one}>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
