// The bell: how many alerts of the open company are unread; pressed, the alerts.
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { alertsQuery } from '../api/alerts.ts'
import { useLater } from '../parts/use-later.ts'
import { BellButton } from './BellButton.tsx'

const load = () => import('./AlertPopover.tsx')

export function Bell() {
  const { companyId } = useParams({ strict: false })
  return companyId === undefined ? null : <CompanyBell companyId={companyId} />
}

function CompanyBell({ companyId }: { companyId: string }) {
  const { data, error } = useQuery(alertsQuery(companyId))
  const [popover, want] = useLater(load)
  const unread = data?.meta.unread ?? 0
  if (popover === undefined)
    return <BellButton unread={unread} aria-haspopup="dialog" aria-expanded={false} onClick={want} />
  return <popover.AlertPopover {...{ companyId, unread, error }} alerts={data?.data} />
}
