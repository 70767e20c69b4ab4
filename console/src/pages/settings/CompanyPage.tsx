// The company as its own members see it, and as its owners change it.
import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCanWrite, useCompany, useRole } from '../../api/company.ts'
import type { OwnCompany } from '../../api/schemas.ts'
import { useSignIn } from '../../api/sign-in.ts'
import { Card } from '../../parts/Card.tsx'
import { CopyValue } from '../../parts/CopyValue.tsx'
import { useFormat } from '../../parts/format.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { hrefOf } from '../../parts/Picture.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { text } from '../../texts/company.ts'
import { hours, nameOf } from '../organization/regions.ts'
import { CompanyExports } from './CompanyExports.tsx'
import { CompanyForm } from './CompanyForm.tsx'
import classes from './company.module.css'
import { TillSettings } from './TillSettings.tsx'

export function CompanyPage() {
  // Its own members see all but the status at the payment processor.
  const company = useCompany()
  const format = useFormat()
  const { id, externalId, planName } = company
  const canWrite = useCanWrite()
  const isEditor = useRole() === 'owner' && canWrite
  const organization = useSignIn().organizations.find((one) => one.id === company.organizationId)

  return (
    <PageBody size="narrow">
      <PageHeader title={text.title} description={text.hint} aside={<StatusBadge value={company.status} />} />
      <Stack gap="lg">
        {isEditor ? <CompanyForm /> : <Details company={company} />}
        <TillSettings />
        <Card
          title={text.belongs}
          actions={
            isEditor &&
            organization && (
              <Anchor component={Link} to={`/o/${organization.id}/companies/${id}`} fz="sm">
                {text.openIn(organization.name)}
              </Anchor>
            )
          }
        >
          <dl className={classes.facts}>
            <Fact name={text.id}>
              <CopyValue value={id} label={text.id} />
            </Fact>
            <Fact name={text.externalId}>{externalId}</Fact>
            <Fact name={text.organizationId}>
              <CopyValue value={company.organizationId} label={text.organizationId} />
            </Fact>
            <Fact name={text.plan}>{planName && <bdi>{planName}</bdi>}</Fact>
            <Fact name={text.created}>{format.dateTime(company.createdAt)}</Fact>
          </dl>
        </Card>
        {canWrite && <CompanyExports />}
      </Stack>
    </PageBody>
  )
}

/** What people who are no owners read. */
function Details({ company }: { company: OwnCompany }) {
  const format = useFormat()
  const { name, email, phone, industry, logo, address, taxId, country, currency, timezone, dayStartHour } = company
  const lines = [
    address?.address1,
    address?.address2,
    [address?.postCode, address?.city].filter(Boolean).join(' '),
    address?.state,
  ].filter(Boolean)
  return (
    <>
      <Changer company={company} />
      <Card title={text.about}>
        <dl className={classes.facts}>
          <Fact name={text.name}>
            <bdi>{name}</bdi>
          </Fact>
          <Fact name={text.email}>{email}</Fact>
          <Fact name={text.phone}>{phone}</Fact>
          <Fact name={text.industry}>{industry}</Fact>
          <Fact name={text.taxId}>{taxId}</Fact>
          <Fact name={text.logo}>{logo && <Address url={logo} />}</Fact>
        </dl>
      </Card>
      <Card title={text.place}>
        <dl className={classes.facts}>
          <Fact name={text.currency} hint={currency && text.currencyHint} unset={text.noCurrency}>
            {currency && `${currency} · ${nameOf('currency', currency)}`}
          </Fact>
          <Fact
            name={text.timezone}
            hint={timezone && text.nowThere(format.dateTime(new Date().toISOString()))}
            unset={text.noTimezone}
          >
            {timezone?.replaceAll('_', ' ')}
          </Fact>
          <Fact name={text.dayStartHour}>{hours[dayStartHour ?? 0]?.label}</Fact>
          <Fact name={text.country}>{country && nameOf('region', country)}</Fact>
          <Fact name={text.address}>
            {lines.length > 0 && (
              <address className={classes.address}>
                <bdi>{lines.join('\n')}</bdi>
              </address>
            )}
          </Fact>
        </dl>
      </Card>
    </>
  )
}

/** Says who changes the company, with a link for users who have access to its organization. */
function Changer({ company }: { company: OwnCompany }) {
  const { organizations } = useSignIn()
  const organization = organizations.find(({ id }) => id === company.organizationId)
  return (
    <Alert
      variant="default"
      radius="lg"
      icon={<IconInfoCircle size={18} />}
      title={company.status !== 'suspended' && (organization ? text.changedThere : text.changedByOwners)}
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 280px" className="name">
          {organization === undefined ? text.changedByOthers : text.changedByYou(organization.name)}
        </Text>
        {organization && (
          <Button component={Link} to={`/o/${organization.id}/companies/${company.id}`} variant="default">
            {text.changeIt}
          </Button>
        )}
      </Group>
    </Alert>
  )
}

interface FactProps {
  readonly name: string
  readonly hint?: string | undefined
  /** Shown if there is no value. */
  readonly unset?: string
  readonly children: ReactNode
}

function Fact({ name, hint, unset = text.unset, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children || <span className="muted">{unset}</span>}
        {hint && (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
      </dd>
    </div>
  )
}

/** A link for a web address; otherwise plain text. */
const Address = ({ url }: { url: string }) =>
  hrefOf(url) === undefined ? (
    <bdi>{url}</bdi>
  ) : (
    <Anchor href={hrefOf(url)} target="_blank" rel="noreferrer">
      {url}
    </Anchor>
  )
