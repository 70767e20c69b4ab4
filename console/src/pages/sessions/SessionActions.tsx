// What is done with a session: cash put in or taken out, and its report, where it is printed and closed.
import { Button } from '@mantine/core'
import { IconReportMoney } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useScope } from '../../api/company.ts'
import type { Versioned } from '../../api/records.ts'
import { text } from '../../texts/sessions.ts'
import { CashMovement } from './CashMovement.tsx'

export function SessionActions({ record: { id, closeTime } }: Versioned) {
  const { companyId } = useScope()
  return (
    <>
      {closeTime === undefined && <CashMovement sessionId={id} />}
      <Button
        component={Link}
        to={`/c/${companyId}/sessions/${id}/report`}
        variant="default"
        leftSection={<IconReportMoney size={16} />}
      >
        {text.xAndClose}
      </Button>
    </>
  )
}
