// Says whose days and times a page shows where the shop has no time zone.
import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCanWrite, useCompany } from '../api/company.ts'
import { text } from '../texts/company.ts'
import { browserTimeZone } from './days.ts'
import { shownZone } from './time-zone.ts'

export function BrowserZone() {
  const { id, timezone } = useCompany()
  const canWrite = useCanWrite()
  if (timezone !== undefined) return null
  return (
    <Text size="sm" c="dimmed" mb="md">
      {text.browserZone(shownZone(browserTimeZone()))}{' '}
      {canWrite && (
        <Anchor component={Link} to={`/c/${id}/settings/company`} inherit underline="always">
          {text.setTimezone}
        </Anchor>
      )}
    </Text>
  )
}
