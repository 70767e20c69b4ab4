// Lists whose entries are added by a button: a new entry gets the focus.
import { useEffect, useRef } from 'react'

/** Adds an entry, and focuses its first input once it is there. */
export function useAdding(count: number, append: () => void) {
  const list = useRef<HTMLDivElement>(null)
  const isAdding = useRef(false)
  useEffect(() => {
    if (isAdding.current) list.current?.children[count - 1]?.querySelector('input')?.focus()
    isAdding.current = false
  }, [count])
  const add = () => {
    isAdding.current = true
    append()
  }
  return { list, add }
}
