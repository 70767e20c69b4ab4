// The bell: how many alerts of the open company are unread; pressed, the alerts.
import { ActionIcon, Indicator, Popover } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { alertsQuery } from '../api/alerts.ts'
import { useLater } from '../parts/use-later.ts'
import { text } from '../texts/alerts.ts'

const load = () => import('./AlertList.tsx')

export function Bell() {
  const { companyId } = useParams({ strict: false })
  return companyId === undefined ? null : <CompanyBell companyId={companyId} />
}

function CompanyBell({ companyId }: { companyId: string }) {
  const { data } = useQuery(alertsQuery(companyId))
  const [isOpen, setOpen] = useState(false)
  const [list, want] = useLater(load)
  const unread = data?.meta.unread ?? 0
  return (
    <Popover opened={isOpen} onChange={setOpen} width={360} position="bottom-end" shadow="md" trapFocus returnFocus>
      <Indicator
        inline
        disabled={unread === 0}
        label={<span aria-hidden>{unread > 9 ? '9+' : unread}</span>}
        size={16}
        offset={6}
        color="red.7"
        zIndex={1}
      >
        <Popover.Target>
          <ActionIcon
            size="lg"
            aria-label={text.bell(unread)}
            onClick={() => {
              want()
              setOpen(!isOpen)
            }}
          >
            <IconBell size={20} stroke={1.8} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p={0} maw="calc(100vw - 16px)" aria-label={text.title}>
        {list && <list.AlertList companyId={companyId} alerts={data?.data ?? []} close={() => setOpen(false)} />}
      </Popover.Dropdown>
    </Popover>
  )
}
