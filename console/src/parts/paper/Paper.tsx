// What is printed in place of the page, whether the page's own button prints it or the browser's command.
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import classes from './Paper.module.css'
import { useIsPrinting } from './use-is-printing.ts'

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
