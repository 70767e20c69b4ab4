// Printing a list with Ctrl+P: what is not read yet, rows and the names in them, is read before the browser prints.
import { useWindowEvent } from '@mantine/hooks'
import { onlineManager, type QueryClient, type UseInfiniteQueryResult, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useIsPrinting } from './use-is-printing.ts'

export type PrintedList = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'fetchNextPage'>

/**
 * Whether all rows that were read are rendered: while the browser prints, and before, until what they show is read. The
 * browser's own menu prints at once what is there.
 */
export function useWholeList(list: PrintedList | undefined, count: number, most: number): boolean {
  const client = useQueryClient()
  const isPrinting = useIsPrinting()
  const [isWanted, setWanted] = useState(false)
  // Without a network, a read would wait for it: what was read is printed.
  const mayRead = isWanted && onlineManager.isOnline() && list?.hasNextPage === true && count < most

  useWindowEvent('keydown', (event) => {
    const isPrint = event.key.toLowerCase() === 'p' && (event.ctrlKey || event.metaKey) && !event.shiftKey
    if (!isPrint || event.defaultPrevented) return
    event.preventDefault()
    setWanted(true)
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page.
  useEffect(() => {
    if (!isWanted) return
    let isLeft = false
    const go = async () => {
      if (mayRead && !(await list?.fetchNextPage())?.isError) return
      await untilRead(client)
      if (isLeft) return
      window.print()
      setWanted(false)
    }
    void go()
    return () => {
      isLeft = true
    }
  }, [isWanted, mayRead, count])

  return isPrinting || isWanted
}

/** Settles when no request for data is under way. */
function untilRead(client: QueryClient): Promise<void> {
  return new Promise((resolve) => {
    const stop = client.getQueryCache().subscribe(check)
    function check() {
      if (client.isFetching() > 0) return
      stop()
      resolve()
    }
    check()
  })
}
