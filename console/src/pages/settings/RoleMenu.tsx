// A member's role; owners can change it.
import { Button, Menu, Text } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { Member } from '../../api/schemas.ts'
import type { CompanyRole } from '../../api/sign-in.ts'
import { text } from '../../texts/people.ts'
import { calledAs } from './member.ts'

interface RoleMenuProps {
  readonly member: Member
  readonly roles: readonly CompanyRole[]
  readonly choose: (role: CompanyRole) => void
}

export function RoleMenu({ member, roles, choose }: RoleMenuProps) {
  const { role } = member
  return (
    <Menu width={300} position="bottom-start">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          fw={400}
          ml={-8}
          rightSection={<IconChevronDown size={13} className="muted" />}
          aria-label={text.changeRole(calledAs(member), text.roles[role])}
          styles={{ label: { color: 'var(--mantine-color-text)' } }}
        >
          {text.roles[role]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={role} onChange={(one) => choose(one as CompanyRole)}>
          {roles.map((one) => (
            <Menu.RadioItem key={one} value={one} closeMenuOnClick>
              <Text size="sm" fw={500}>
                {text.roles[one]}
              </Text>
              <Text size="xs" c="dimmed">
                {text.roleHints[one]}
              </Text>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
