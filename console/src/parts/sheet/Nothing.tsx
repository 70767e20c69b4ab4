// Shown in place of a sheet if there are no variants, with what to do about it.
import { Button, Group } from '@mantine/core'
import { IconSearchOff, IconStack2 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useCanWrite, useCompanyId } from '../../api/company.ts'
import { text } from '../../texts/sheet.ts'
import { Empty } from '../Empty.tsx'

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
