// One company as its organization sees it: its details, its plan, its suspension, and its keys.
import { Button, Group, Stack, Text } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { companyQuery, useParam } from '../../api/company.ts'
import { ownedQuery, useOrganizationId } from '../../api/organization.ts'
import type { Versioned } from '../../api/records.ts'
import type { Company } from '../../api/schemas.ts'
import { CopyValue } from '../../parts/CopyValue.tsx'
import { FormFrame } from '../../parts/FormFrame.tsx'
import { ago, dateTime } from '../../parts/format.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { PageWaiting } from '../../parts/PageWaiting.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { text } from '../../texts/organization.ts'
import { CompanyCards, companyMembers } from './CompanyFields.tsx'
import { CompanyKeys } from './CompanyKeys.tsx'
import { pathsOf, useOwnedForm } from './owned-form.ts'
import { Suspend, Suspended, Unsuspend } from './Suspension.tsx'

export function OrganizationCompanyPage() {
  const organizationId = useOrganizationId()
  const id = useParam('id')
  const {
    data: versioned,
    error,
    refetch,
  } = useQuery(ownedQuery<Company>(organizationId, `companies/${encodeURIComponent(id)}`))
  if (versioned === undefined) return <PageWaiting error={error} retry={refetch} />
  return <OneCompany key={id} versioned={versioned} />
}

function OneCompany({ versioned }: { versioned: Versioned<Company> }) {
  const organizationId = useOrganizationId()
  const company = versioned.record
  const [isAsking, setAsking] = useState(false)
  const isSuspended = company.status === 'suspended'
  const close = () => setAsking(false)
  return (
    <PageBody size="narrow">
      <PageHeader
        title={company.name}
        above={{ label: text.companies, to: `/o/${organizationId}` }}
        aside={<StatusBadge value={company.status} />}
      >
        {!isSuspended && (
          <Button variant="default" onClick={() => setAsking(true)}>
            {text.suspend}…
          </Button>
        )}
        <Button component={Link} to={`/c/${company.id}`} leftSection={<IconExternalLink size={16} />}>
          {text.openInConsole}
        </Button>
      </PageHeader>
      <Stack gap="lg">
        {isSuspended && <Suspended company={company} unsuspend={() => setAsking(true)} />}
        <CompanyForm versioned={versioned} />
        <CompanyKeys companyId={company.id} />
        <Facts company={company} />
      </Stack>
      {isSuspended ? (
        <Unsuspend company={company} opened={isAsking} close={close} />
      ) : (
        <Suspend company={company} opened={isAsking} close={close} />
      )}
    </PageBody>
  )
}

function CompanyForm({ versioned }: { versioned: Versioned }) {
  const client = useQueryClient()
  const { id } = versioned.record
  const form = useOwnedForm({
    path: pathsOf('companies'),
    versioned,
    members: companyMembers,
    onSaved: () => {
      void client.invalidateQueries({ queryKey: companyQuery(id).queryKey })
      void client.invalidateQueries({ queryKey: ['companies'] })
    },
  })
  return (
    <FormFrame form={form} submit={text.save} labels={text.fields}>
      <CompanyCards form={form} title={text.sections.company} />
    </FormFrame>
  )
}

function Facts({ company }: { company: Company }) {
  const { id, createdAt, updatedAt, paymentCustomer } = company
  return (
    <Group gap="xl" c="dimmed" fz="sm" style={{ rowGap: 4 }}>
      <CopyValue value={id} />
      <Text inherit>{text.created(dateTime(createdAt))}</Text>
      <Text inherit>{text.changed(ago(updatedAt))}</Text>
      {paymentCustomer && (
        <Text inherit>
          {paymentCustomer.state === 'done'
            ? text.payment.done(paymentCustomer.processor ?? '')
            : paymentCustomer.lastError
              ? text.payment.failed(paymentCustomer.lastError)
              : text.payment.pending}
        </Text>
      )}
    </Group>
  )
}
