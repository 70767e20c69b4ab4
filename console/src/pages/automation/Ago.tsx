// A moment as people say it, from now, and kept true while the page is open.
import { useEffect, useState } from 'react'
import { useFormat } from '../../parts/format.ts'
import { text } from '../../texts/automation.ts'

/** “5 minutes ago”, kept true; of what is to come “in 5 minutes”, and that it is being sent once its time has come. */
export function Ago({ at, title, isNext = false }: { at: string; title: string; isNext?: boolean }) {
  const format = useFormat()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), isNext ? 1_000 : 20_000)
    return () => clearInterval(timer)
  }, [isNext])
  return (
    <time dateTime={at} title={title} className="muted numbers">
      {isNext && Date.parse(at) <= now ? text.due : format.ago(at, Math.max(now, isNext ? 0 : Date.parse(at)))}
    </time>
  )
}
