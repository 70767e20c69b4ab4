// Names the shop's time zone, in which pages show times, if the browser's clock shows another time.
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { companyQuery, useCompanyId } from '../api/company.ts'
import { zoneNote } from '../parts/time-zone.ts'

export function ShopZone() {
  const id = useCompanyId()
  const { data: company } = useQuery({ ...companyQuery(id), enabled: id !== '' })
  const note = company?.timezone && zoneNote(company.timezone)
  if (!note) return null
  return (
    <Text size="xs" c="dimmed" truncate>
      {note}
    </Text>
  )
}
