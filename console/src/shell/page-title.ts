// The title of the browser's tab.
import { useEffect } from 'react'
import { text } from '../texts/shell.ts'

/** Names the tab after the page; undefined until its name is known. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · ${text.product}`
  }, [title])
}
