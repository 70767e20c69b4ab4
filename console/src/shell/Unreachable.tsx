// The bar shown while the server cannot be reached, is too busy to answer, or has another version of the console; the page stays as it is.
import { Button, Loader, Text } from '@mantine/core'
import { type Query, useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { asProblem } from '../api/problem.ts'
import { isReachable } from '../api/request.ts'
import { text } from '../texts/shell.ts'
import classes from './Unreachable.module.css'

/** Seconds that a page may be late without an explanation. */
const UNNOTICED_SECONDS = 2

/** Whether the server has asked to try again later for something that the page waits for, and the user notices the delay. */
function isPutOff({ meta, state: { data, fetchFailureReason, fetchFailureCount } }: Query): boolean {
  if (data !== undefined || meta?.isBackground === true || fetchFailureReason === null) return false
  const { status, retryAfter = 0 } = asProblem(fetchFailureReason)
  return [429, 503].includes(status) && (fetchFailureCount > 1 || retryAfter > UNNOTICED_SECONDS)
}

/** Whether nothing was read after several tries: its own message says so, and asks the user to try again. */
const hasGivenUp = ({ meta, state: { data, status, error, fetchFailureCount } }: Query): boolean =>
  status === 'error' &&
  data === undefined &&
  meta?.isBackground !== true &&
  fetchFailureCount > 1 &&
  [429, 503].includes(asProblem(error).status)

/** Whether the server has another version of the console: the script that this page began with has its version in its name. */
const isUpdated = (): Promise<boolean> =>
  fetch(document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? '', {
    method: 'HEAD',
    cache: 'no-store',
  }).then(
    ({ status }) => status === 404,
    () => false,
  )

/** Whether a part of this version of the console is no longer there: the server was updated, and only a reload helps. */
function useReplaced(): boolean {
  const [isReplaced, setReplaced] = useState(false)
  useEffect(() => {
    const ask = async () => {
      if (await isUpdated()) setReplaced(true)
    }
    // Vite reports each part and style that could not be loaded; a server that was away for a moment still has it.
    window.addEventListener('vite:preloadError', ask)
    return () => window.removeEventListener('vite:preloadError', ask)
  }, [])
  return isReplaced
}

export function Unreachable() {
  const client = useQueryClient()
  const isReplaced = useReplaced()
  const isPuttingOff = useIsFetching({ predicate: isPutOff }) > 0
  // A query that gives up is no longer fetched, so this is rendered again.
  const isBusy = isPuttingOff && client.getQueryCache().findAll({ type: 'active', predicate: hasGivenUp }).length === 0
  const [isAway, setAway] = useState(false)
  const bar = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const away = (error: unknown) => {
      if (error !== null && error !== undefined && asProblem(error).isUnreachable) setAway(true)
    }
    const stopQueries = client.getQueryCache().subscribe(({ query }) => away(query.state.fetchFailureReason))
    const stopMutations = client.getMutationCache().subscribe(({ mutation }) => away(mutation?.state.error))
    return () => {
      stopQueries()
      stopMutations()
    }
  }, [client])

  useEffect(() => {
    if (!isAway) return
    const asking = setInterval(async () => {
      if (!(await isReachable())) return
      setAway(false)
      void client.refetchQueries({
        type: 'active',
        predicate: ({ state }) => state.status === 'error' || state.fetchFailureCount > 0,
      })
    }, 2_000)
    return () => clearInterval(asking)
  }, [isAway, client])

  const isWaiting = isAway || isBusy
  const isShown = isWaiting || isReplaced
  // Content at the bottom of the window makes room for it.
  useLayoutEffect(() => {
    if (!isShown || bar.current === null) return
    const { style } = document.documentElement
    const measure = ({ offsetHeight }: HTMLElement) => style.setProperty('--cw-away', `${offsetHeight}px`)
    const observer = new ResizeObserver(([entry]) => entry && measure(entry.target as HTMLElement))
    measure(bar.current)
    observer.observe(bar.current)
    return () => {
      observer.disconnect()
      style.removeProperty('--cw-away')
    }
  }, [isShown])

  return (
    <div aria-live="polite">
      {isShown && (
        <div className={classes.bar} data-away={isAway || undefined} ref={bar}>
          {isWaiting && <Loader size={14} color="currentColor" />}
          <Text size="sm" fw={600}>
            {isAway ? text.unreachable : isBusy ? text.busy : text.replaced}
          </Text>
          <Text size="sm">{isWaiting ? text.unreachableHint : text.replacedHint}</Text>
          {!isWaiting && (
            <Button size="compact-sm" onClick={() => window.location.reload()}>
              {text.reload}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
