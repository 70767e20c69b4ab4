// What is printed in place of the page, whether the page's own button prints it or the browser's command.
import { type ReactNode, useEffect, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import classes from './Paper.module.css'

interface PaperProps {
  /** The declarations of `@page`: its size and its margin. */
  readonly page: string
  /** Rendered only while the browser prints, so its data must have been read before. */
  readonly children: ReactNode
}

export function Paper({ page, children }: PaperProps) {
  const isPrinting = useIsPrinting()
  return createPortal(
    <div className={classes.paper}>
      <style>{`@page { ${page} }`}</style>
      {isPrinting && children}
    </div>,
    document.body,
  )
}

/** Whether the browser is printing: from its `beforeprint` event, before it lays out the paper, to `afterprint`. */
function useIsPrinting(): boolean {
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
