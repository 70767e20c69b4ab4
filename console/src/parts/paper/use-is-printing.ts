// Whether the browser is printing, for what is rendered only on paper.
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** From its `beforeprint` event, before it lays out the paper, to `afterprint`. */
export function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    const begin = () => flushSync(() => setPrinting(true))
    const end = () => setPrinting(false)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}
