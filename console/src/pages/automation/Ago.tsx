// A relative time, updated while the page is open.
import { useEffect, useState } from 'react'
import { useFormat } from '../../parts/format.ts'
import { text } from '../../texts/automation.ts'

/** “5 minutes ago”, kept current; in the future “in 5 minutes”, and once due, that it is being sent. */
export function Ago({ at, title, isNext = false }: { at: string; title: string; isNext?: boolean }) {
  const format = useFormat()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), isNext ? 1_000 : 20_000)
    return () => clearInterval(timer)
  }, [isNext])
  return (
    <time dateTime={at} title={title} className="muted">
      {isNext && Date.parse(at) <= now ? text.due : format.ago(at, Math.max(now, isNext ? 0 : Date.parse(at)))}
    </time>
  )
}
