// Shown in place of the sheet if there is nothing to count, with what to do about it.
import { Button, Group } from '@mantine/core'
import { IconBuildingStore, IconSearchOff, IconStack2 } from '@tabler/icons-react'
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

export function NoVariants() {
  const companyId = useCompanyId()
  return (
    <Empty icon={IconStack2} title={text.noVariants} hint={text.noVariantsHint}>
      {useCanWrite() && (
        <Group gap="xs">
          <Button component={Link} to={`/c/${companyId}/imports`}>
            {text.import}
          </Button>
          <Button component={Link} to={`/c/${companyId}/products/new`} variant="default">
            {text.newProduct}
          </Button>
        </Group>
      )}
    </Empty>
  )
}

export function NothingFits({ showAll }: { showAll: () => void }) {
  return (
    <Empty icon={IconSearchOff} title={text.nothing} hint={text.nothingHint}>
      <Button variant="default" onClick={showAll}>
        {text.showAll}
      </Button>
    </Empty>
  )
}
