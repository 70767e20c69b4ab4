// The way from a session to its report, where it is printed and closed.
import { Button } from '@mantine/core'
import { IconReportMoney } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useWhose } from '../../api/company.ts'
import { text } from '../../texts/sessions.ts'

export function SessionActions({ id }: { id: string }) {
  const { companyId } = useWhose()
  return (
    <Button
      component={Link}
      to={`/c/${companyId}/sessions/${id}/report`}
      variant="default"
      leftSection={<IconReportMoney size={16} />}
    >
      {text.xAndClose}
    </Button>
  )
}
