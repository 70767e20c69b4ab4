// The events on the page: the newest of the stream, up to a memory limit, and older ones on request.
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { useWhose } from '../../api/company.ts'
import { type ApiProblem, asProblem } from '../../api/problem.ts'
import { type Connection, follow } from './follow.ts'
import { eventsBefore, tipOf } from './looking-back.ts'
import type { FeedEvent } from './triggers.ts'

export const mostEvents = 500
const mostCharacters = 8 * 1024 * 1024
/** Events that arrive together are shown together. */
const gatherMs = 200

interface Held {
  readonly event: FeedEvent
  readonly characters: number
}

interface Shown {
  /** Newest first. */
  readonly held: readonly Held[]
  readonly isCut: boolean
}

type Change = { readonly kind: 'newer' | 'older'; readonly held: readonly Held[] } | { readonly kind: 'begin' }

function change({ held, isCut }: Shown, what: Change): Shown {
  if (what.kind === 'begin') return { held: [], isCut: false }
  const all = what.kind === 'newer' ? [...what.held.toReversed(), ...held] : [...held, ...what.held.toReversed()]
  let characters = 0
  const kept = all.slice(0, mostEvents).filter((one) => {
    characters += one.characters
    return characters <= mostCharacters
  })
  return { held: kept, isCut: isCut || kept.length < all.length }
}

export interface EventFilters {
  readonly type?: string
  readonly recordId?: string
}

export function useEvents({ type, recordId }: EventFilters, isPaused: boolean) {
  const { companyId } = useWhose()
  const [{ held, isCut }, put] = useReducer(change, { held: [], isCut: false })
  const [connection, setConnection] = useState<Connection>('connecting')
  const [problem, setProblem] = useState<ApiProblem>()
  const [arrived, setArrived] = useState<Arrival>({ count: 0, last: '' })
  const [isLooking, setLooking] = useState(false)
  const [hasEarlier, setEarlier] = useState(true)
  const [isReady, setReady] = useState(false)
  const [attempt, setAttempt] = useState(0)
  /** What was read: up to which cursor, from which number on, and with which filters. */
  const place = useRef<{ key: string; after: string; from: number }>(undefined)
  const key = JSON.stringify([companyId, type, recordId])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt starts over.
  useEffect(() => {
    const stopping = new AbortController()
    const { signal } = stopping
    const filters = { type, recordId }
    const whose = { companyId }
    let waiting: Held[] = []
    const flushing = setInterval(() => {
      if (waiting.length === 0) return
      const last = waiting.at(-1) as Held
      put({ kind: 'newer', held: waiting })
      const count = waiting.length
      waiting = []
      setArrived((before) => ({ count: before.count + count, last: last.event.type }))
    }, gatherMs)

    async function run(): Promise<void> {
      if (place.current?.key !== key) {
        put({ kind: 'begin' })
        setReady(false)
        setEarlier(true)
        setArrived({ count: 0, last: '' })
        const after = await tipOf(whose, signal)
        const { events, from } = await eventsBefore(whose, filters, Number(after), signal)
        put({ kind: 'older', held: events.map(heldOf) })
        setEarlier(from > 0)
        setReady(true)
        place.current = { key, after, from }
      }
      if (isPaused) return
      const here = place.current
      await follow({
        ...{ companyId, filters, signal, after: here.after, connection: setConnection },
        heard: (events, after) => {
          if (signal.aborted) return
          waiting.push(...events.map(([event, characters]) => ({ event, characters })))
          // Many can arrive at once after a pause: those beyond the limit are dropped before they are shown.
          if (waiting.length > 2 * mostEvents) waiting.splice(0, waiting.length - mostEvents)
          here.after = after
        },
      })
    }

    setProblem(undefined)
    setConnection('connecting')
    run().catch((error) => {
      if (!signal.aborted) setProblem(asProblem(error))
    })
    return () => {
      stopping.abort()
      clearInterval(flushing)
      if (waiting.length > 0) put({ kind: 'newer', held: waiting })
    }
  }, [companyId, type, recordId, isPaused, key, attempt])

  const lookBack = useCallback(async () => {
    const here = place.current
    if (here === undefined) return
    setLooking(true)
    try {
      const { events, from } = await eventsBefore(
        { companyId },
        { type, recordId },
        here.from,
        new AbortController().signal,
      )
      if (place.current !== here) return
      here.from = from
      put({ kind: 'older', held: events.map(heldOf) })
      setEarlier(from > 0)
    } catch (error) {
      setProblem(asProblem(error))
    } finally {
      setLooking(false)
    }
  }, [companyId, type, recordId])

  const retry = () => setAttempt(attempt + 1)
  const events = held.map(({ event }) => event)
  return { events, isCut, connection, problem, arrived, isReady, isLooking, hasEarlier, lookBack, retry }
}

/** The number of events since the page was opened, and the type of the last one. */
export interface Arrival {
  readonly count: number
  readonly last: string
}

const heldOf = (event: FeedEvent): Held => ({ event, characters: JSON.stringify(event).length })
