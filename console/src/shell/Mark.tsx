// The avatar of a company or an organization: its first letter, or a building.
import { Avatar } from '@mantine/core'
import { IconBuildingSkyscraper } from '@tabler/icons-react'

export const Mark = ({ name, isOrganization }: { name: string; isOrganization: boolean }) => (
  <Avatar size={26} radius={7} color={isOrganization ? 'gray' : 'iris'} variant="light" alt="" aria-hidden>
    {isOrganization ? <IconBuildingSkyscraper size={15} /> : ([...name.trim()][0] ?? '·').toUpperCase()}
  </Avatar>
)
