// The alerts in the bell: each leads to what it is about, and is read then.
import { Anchor, Text, VisuallyHidden } from '@mantine/core'
import { IconCash, IconPackage, IconUpload, IconWebhook } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode, useRef } from 'react'
import { type Alert, alertsQuery, markRead } from '../api/alerts.ts'
import { Failure } from '../parts/Failure.tsx'
import { ago, money, number } from '../parts/format.ts'
import { isolated } from '../parts/isolated.ts'
import { complain } from '../parts/notices.ts'
import { text } from '../texts/alerts.ts'
import classes from './AlertList.module.css'

interface AlertListProps {
  readonly companyId: string
  /** Undefined until they are read. */
  readonly alerts: readonly Alert[] | undefined
  readonly error: unknown
  readonly close: () => void
}

export function AlertList({ companyId, alerts, error, close }: AlertListProps) {
  const client = useQueryClient()
  const head = useRef<HTMLDivElement>(null)
  async function read(ids?: readonly string[]) {
    try {
      await markRead(companyId, ids)
    } catch (error) {
      complain(error)
    }
    await client.invalidateQueries({ queryKey: alertsQuery(companyId).queryKey })
  }
  function retry() {
    // The pressed button disappears, and Escape closes the alerts only from inside.
    head.current?.focus()
    void client.invalidateQueries({ queryKey: alertsQuery(companyId).queryKey })
  }
  return (
    <>
      <div className={classes.head} ref={head} tabIndex={-1}>
        <Text fw={600}>{text.title}</Text>
        {alerts?.some(({ isRead }) => !isRead) && (
          <Anchor component="button" type="button" size="sm" onClick={() => void read()}>
            {text.markAll}
          </Anchor>
        )}
      </div>
      {alerts === undefined ? (
        error !== null && <Failure error={error} retry={retry} />
      ) : alerts.length === 0 ? (
        <div className={classes.empty}>
          <Text fw={500}>{text.none}</Text>
          <Text size="sm" c="dimmed" mt={4}>
            {text.noneHint}
          </Text>
        </div>
      ) : (
        <ul className={classes.list}>
          {alerts.map((alert) => (
            <li key={alert.id}>
              <Entry
                alert={alert}
                place={`/c/${companyId}`}
                open={() => {
                  close()
                  if (!alert.isRead) void read([alert.id])
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <div className={classes.foot}>
        <Anchor component={Link} to="/user" hash="alerts" size="sm" onClick={close}>
          {text.choose}
        </Anchor>
      </div>
    </>
  )
}

const icons = { webhook: IconWebhook, import: IconUpload, stock: IconPackage, session: IconCash }

function Entry({ alert, place, open }: { alert: Alert; place: string; open: () => void }) {
  const { details, state, isRead, updatedAt, recoveredAt } = alert
  const Sign = icons[details.kind]
  const { title, line, to } = shownAs(alert)
  const isOver = state === 'recovered'
  return (
    <Link to={place + to} className={classes.alert} data-over={isOver || undefined} onClick={open}>
      <Sign size={18} stroke={1.7} aria-hidden />
      <div>
        <div className={classes.title}>{title}</div>
        {line && <div className={classes.line}>{line}</div>}
        <div className={classes.line}>{isOver ? `${text.recovered} ${ago(recoveredAt)}` : ago(updatedAt)}</div>
      </div>
      {!isRead && (
        <div className={classes.dot}>
          <VisuallyHidden>{text.unread}</VisuallyHidden>
        </div>
      )}
    </Link>
  )
}

/** Parts of a line; each keeps its own direction, so that a right-to-left name turns no other part round. */
function InLine({ parts }: { readonly parts: readonly (string | undefined)[] }) {
  return parts.filter(Boolean).map((part, n) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name but their place.
    <Fragment key={n}>
      {n > 0 && ' · '}
      <bdi>{part}</bdi>
    </Fragment>
  ))
}

/** Title, further line and page of an alert. */
function shownAs({ details }: Alert): { title: string; line: ReactNode; to: string } {
  switch (details.kind) {
    case 'webhook': {
      const name = details.name ?? details.host ?? ''
      return {
        title: (details.offReason === undefined ? text.webhookFailing : text.webhookOff)(isolated(name)),
        line: details.offReason ?? text.webhookHint,
        to: `/automation/${details.triggerId}`,
      }
    }
    case 'import': {
      const { fileName = '', problem, refused = 0, importId } = details
      const done = refused > 0 ? text.refused(refused) : text.imported
      return {
        title: (problem === undefined ? text.importDone : text.importFailed)(isolated(fileName)),
        line: problem ?? done,
        to: `/imports/${importId}`,
      }
    }
    case 'stock': {
      const { levels = [], count = 0 } = details
      const named = levels.slice(0, 2).map(({ productName, variantName, variantId, stock }) => {
        const name = [productName ?? variantId, variantName].flatMap((part) => (part ? isolated(part) : []))
        return text.level(name.join(' · '), number(stock))
      })
      const more = count - named.length
      return {
        title: text.stock(count),
        line: [...named, ...(more > 0 ? [text.more(more)] : [])].join(', '),
        to: '/stock',
      }
    }
    case 'session': {
      const { differences = [], outletName, stationName, sessionId } = details
      const amounts = differences.map(({ difference, currency }) => signed(difference, currency)).join(', ')
      return {
        title: text.session,
        line: <InLine parts={[amounts, outletName, stationName]} />,
        to: `/sessions/${sessionId}`,
      }
    }
  }
}

const signed = (amount: string, currency: string): string =>
  amount.startsWith('-') ? money(amount, currency) : `+${money(amount, currency)}`
