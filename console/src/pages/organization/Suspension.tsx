// Suspends a company, with a reason that its callers see, and unsuspends it.
import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconPlayerPause } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { companyQuery } from '../../api/company.ts'
import { ownedQuery, useOrganizationId, writeOwned } from '../../api/organization.ts'
import type { Company } from '../../api/schemas.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { notify } from '../../parts/notices.ts'
import { shortName } from '../../parts/short-name.ts'
import { firstInput } from '../../parts/use-first-input.ts'
import { text } from '../../texts/organization.ts'

interface SuspensionProps {
  readonly company: Company
  readonly opened: boolean
  readonly close: () => void
}

function useChange({ id }: Company) {
  const organizationId = useOrganizationId()
  const client = useQueryClient()
  return async (body: Readonly<Record<string, unknown>>, message: string) => {
    // Only these members are sent, so other changes in the meantime are kept.
    const changed = await writeOwned(organizationId, `companies/${id}`, { method: 'PATCH', body })
    client.setQueryData(ownedQuery(organizationId, `companies/${id}`).queryKey, changed)
    void client.invalidateQueries({ queryKey: [organizationId, 'companies', 'list'] })
    void client.invalidateQueries({ queryKey: companyQuery(id).queryKey })
    void client.invalidateQueries({ queryKey: ['companies'] })
    notify(message)
  }
}

export function Suspend({ company, opened, close }: SuspensionProps) {
  const change = useChange(company)
  const [reason, setReason] = useState('')
  return (
    <Confirm
      opened={opened}
      close={close}
      title={text.suspendTitle(shortName(company.name))}
      action={text.suspend}
      run={async () => {
        const suspendedReason = reason.trim()
        await change(
          { status: 'suspended', ...(suspendedReason !== '' && { suspendedReason }) },
          text.isSuspended(company.name),
        )
        setReason('')
      }}
    >
      <Stack gap="md">
        {text.suspendHint}
        <Textarea
          label={text.suspendReason}
          description={text.suspendReasonHint}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxRows={6}
          dir="auto"
          {...firstInput()}
        />
      </Stack>
    </Confirm>
  )
}

export function Unsuspend({ company, opened, close }: SuspensionProps) {
  const change = useChange(company)
  return (
    <Confirm
      opened={opened}
      close={close}
      title={text.unsuspendTitle(shortName(company.name))}
      action={text.unsuspend}
      isDangerous={false}
      run={() => change({ status: 'active' }, text.isActive(company.name))}
    >
      {text.unsuspendHint}
    </Confirm>
  )
}

export function Suspended({ company, unsuspend }: { company: Company; unsuspend: () => void }) {
  return (
    <Alert color="red" icon={<IconPlayerPause size={18} />} title={text.suspendedSince}>
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Text size="sm" className="name" miw={0}>
          <bdi>{company.suspendedReason ?? text.noReason}</bdi>
        </Text>
        <Button variant="default" size="xs" onClick={unsuspend} flex="none">
          {text.unsuspend}
        </Button>
      </Group>
    </Alert>
  )
}
