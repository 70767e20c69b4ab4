// The API keys of a company, as its organization sees them; they are managed in the company's own settings.
import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useOrganizationId } from '../../api/organization.ts'
import { get } from '../../api/request.ts'
import type { Key, KeyPage } from '../../api/schemas.ts'
import { Card } from '../../parts/Card.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { ago, date, number } from '../../parts/format.ts'
import { RowsSkeleton } from '../../parts/Skeletons.tsx'
import { text } from '../../texts/organization.ts'
import { permissionsOf } from '../settings/key-columns.tsx'
import classes from './organization.module.css'

const shownAtMost = 10

export function CompanyKeys({ companyId }: { companyId: string }) {
  const organizationId = useOrganizationId()
  const { data, error, refetch } = useQuery({
    queryKey: [organizationId, 'companies', companyId, 'keys'],
    queryFn: ({ signal }) =>
      get<KeyPage>({ organizationId }, `/v1/organization-api/companies/${companyId}/keys`, {
        query: { limit: shownAtMost, sortOrder: 'desc' },
        signal,
      }),
  })
  const count = data?.meta.count ?? 0
  return (
    <Card
      title={text.keys}
      aside={count > 0 ? number(count) : undefined}
      actions={
        <Button component={Link} to={`/c/${companyId}/settings/keys`} variant="default" size="xs">
          {data !== undefined && count === 0 ? text.makeFirstKey : text.manageKeys}
        </Button>
      }
    >
      {data === undefined ? (
        error ? (
          <Failure error={error} retry={() => void refetch()} />
        ) : (
          <RowsSkeleton rows={2} />
        )
      ) : count === 0 ? (
        <Text size="sm" c="dimmed">
          {text.noKeys}
        </Text>
      ) : (
        <ul className={classes.rows}>
          {data.data.map((key) => (
            <KeyRow key={key.id} value={key} />
          ))}
          {count > data.data.length && <li className="muted">{text.moreKeys(count - data.data.length)}</li>}
        </ul>
      )}
    </Card>
  )
}

function KeyRow({ value }: { value: Key }) {
  const { name, prefix, lastFour, lastUsedAt, expiresAt, deleteAt } = value
  const end = deleteAt ?? expiresAt
  return (
    <li>
      <div className={classes.rowName}>
        <Text size="sm" fw={500} className="name">
          <bdi>{name}</bdi>
        </Text>
        <Text size="xs" c="dimmed" ff="monospace">
          {prefix}…{lastFour}
        </Text>
      </div>
      <Text size="sm">{permissionsOf(value)}</Text>
      <Text size="sm" c="dimmed" className={classes.rowEnd}>
        {lastUsedAt === undefined ? text.neverUsed : text.used(ago(lastUsedAt))}
        {end !== undefined && (
          <Text span inherit display="block">
            {text.ends(date(end))}
          </Text>
        )}
      </Text>
    </li>
  )
}
