// Says when passwords are accepted again, and disappears at that time.

import { Alert } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { locale } from '../../language.ts'
import { ago } from '../../parts/format.ts'
import { text } from '../../texts/sign-in.ts'

const clock = (time: number): string => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(time)

/** `until` is a time in milliseconds; `over` is called at that time. */
export function Limited({ until, over }: { until: number; over: () => void }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(ticking)
  }, [])
  const isOver = now >= until
  useEffect(() => {
    if (isOver) over()
  }, [isOver, over])
  return (
    <Alert color="yellow" icon={<IconClock size={18} />} title={text.limitedTitle(clock(until + 59_000))} role="alert">
      {text.limited(ago(new Date(until).toISOString(), now))}
    </Alert>
  )
}
