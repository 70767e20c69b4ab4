// Shown in place of the sheet if there are no outlets, with what to do about it.
import { Button } from '@mantine/core'
import { IconBuildingStore } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useCanWrite, useCompanyId } from '../../api/company.ts'
import { Empty } from '../../parts/Empty.tsx'
import { text } from '../../texts/stock.ts'

export function NoOutlets() {
  const companyId = useCompanyId()
  return (
    <Empty icon={IconBuildingStore} title={text.noOutlets} hint={text.noOutletsHint}>
      {useCanWrite() && (
        <Button component={Link} to={`/c/${companyId}/outlets/new`}>
          {text.newOutlet}
        </Button>
      )}
    </Empty>
  )
}
