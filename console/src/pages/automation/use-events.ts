// The events on the page: the newest of the stream, up to a memory limit, and older ones on request.
import { type RefObject, useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { useScope } from '../../api/company.ts'
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

/** What was read: up to which cursor, from which number on, and with which filters. */
interface Place {
  readonly key: string
  after: string
  from: number
}

/** Events that arrived and are not shown yet. */
class Batch {
  #held: Held[] = []
  readonly #timer: ReturnType<typeof setInterval>

  constructor(show: (held: readonly Held[], last: Held) => void) {
    this.#timer = setInterval(() => {
      const held = this.#held
      const last = held.at(-1)
      this.#held = []
      if (last !== undefined) show(held, last)
    }, gatherMs)
  }

  add(events: readonly Held[]): void {
    this.#held.push(...events)
    // Many can arrive at once after a pause: those beyond the limit are dropped before they are shown.
    if (this.#held.length > 2 * mostEvents) this.#held.splice(0, this.#held.length - mostEvents)
  }

  /** Shows no more; returns what is left. */
  end(): readonly Held[] {
    clearInterval(this.#timer)
    return this.#held
  }
}

export function useEvents({ type, recordId }: EventFilters, isPaused: boolean) {
  const { companyId } = useScope()
  const [{ held, isCut }, put] = useReducer(change, { held: [], isCut: false })
  const [connection, setConnection] = useState<Connection>('connecting')
  const [problem, setProblem] = useState<ApiProblem>()
  const [arrived, setArrived] = useState<Arrival>({ count: 0, last: '' })
  const [hasEarlier, setEarlier] = useState(true)
  const [isReady, setReady] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const place = useRef<Place>(undefined)
  const key = JSON.stringify([companyId, type, recordId])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt starts over.
  useEffect(() => {
    const stopping = new AbortController()
    const { signal } = stopping
    const filters = { type, recordId }
    const scope = { companyId }
    const batch = new Batch((held, last) => {
      put({ kind: 'newer', held })
      setArrived((before) => ({ count: before.count + held.length, last: last.event.type }))
    })

    async function run(): Promise<void> {
      if (place.current?.key !== key) {
        put({ kind: 'begin' })
        setReady(false)
        setEarlier(true)
        setArrived({ count: 0, last: '' })
        const after = await tipOf(scope, signal)
        const { events, from } = await eventsBefore(scope, filters, Number(after), signal)
        put({ kind: 'older', held: events.map(heldOf) })
        setEarlier(from > 0)
        setReady(true)
        place.current = { key, after, from }
      }
      if (isPaused) return
      const here = place.current
      await follow({
        companyId,
        filters,
        signal,
        after: here.after,
        connection: setConnection,
        heard: (events, after) => {
          if (signal.aborted) return
          batch.add(events.map(([event, characters]) => ({ event, characters })))
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
      const left = batch.end()
      if (left.length > 0) put({ kind: 'newer', held: left })
    }
  }, [companyId, type, recordId, isPaused, key, attempt])

  const { isLooking, lookBack } = useLookingBack({ type, recordId }, { place, put, setEarlier, setProblem })
  const retry = () => setAttempt(attempt + 1)
  const events = held.map(({ event }) => event)
  return { events, isCut, connection, problem, arrived, isReady, isLooking, hasEarlier, lookBack, retry }
}

interface LookingBackParts {
  readonly place: RefObject<Place | undefined>
  readonly put: (change: Change) => void
  readonly setEarlier: (hasEarlier: boolean) => void
  readonly setProblem: (problem: ApiProblem) => void
}

/** Reads older events on request. */
function useLookingBack({ type, recordId }: EventFilters, { place, put, setEarlier, setProblem }: LookingBackParts) {
  const { companyId } = useScope()
  const [isLooking, setLooking] = useState(false)
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
  }, [companyId, type, recordId, place, put, setEarlier, setProblem])
  return { isLooking, lookBack }
}

/** The number of events since the page was opened, and the type of the last one. */
export interface Arrival {
  readonly count: number
  readonly last: string
}

const heldOf = (event: FeedEvent): Held => ({ event, characters: JSON.stringify(event).length })
