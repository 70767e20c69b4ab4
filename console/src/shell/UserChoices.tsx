// The choices in the user menu: the profile, the colour scheme, and signing out.
import { Menu, useMantineColorScheme } from '@mantine/core'
import { IconLogout, IconUserCircle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { asProblem } from '../api/problem.ts'
import { send, setCsrfToken } from '../api/request.ts'
import type { User } from '../api/sign-in.ts'
import { complain } from '../parts/notices.ts'
import { useOpenAtOnce } from '../parts/use-later.ts'
import { text } from '../texts/shell.ts'
import { type Face, MenuButton } from './MenuButton.tsx'

export function UserChoices({ user, face }: { user: User; face: Face }) {
  const [isOpen, setOpen] = useState(false)
  const button = useOpenAtOnce<HTMLButtonElement>(() => setOpen(true))
  const client = useQueryClient()
  const { colorScheme, setColorScheme } = useMantineColorScheme()

  async function signOut() {
    try {
      await send('person', '/v1/console/sign-in', { method: 'DELETE' })
    } catch (caught) {
      // The next user of this browser would continue as this one; a sign-in that has already ended is fine.
      if (asProblem(caught).status !== 401) {
        complain(caught, text.notSignedOut)
        return
      }
    }
    setCsrfToken(undefined)
    client.clear()
    // Loads a new page, so that nothing of the old one stays in memory.
    window.location.assign('/console/sign-in')
  }

  return (
    <Menu width={240} position="top-start" opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <MenuButton ref={button} {...face} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className="cut">{user.email}</Menu.Label>
        <Menu.Item component={Link} to="/user" leftSection={<IconUserCircle size={16} />}>
          {text.pages.user}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{text.appearance}</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as 'light' | 'dark' | 'auto')}>
          <Menu.RadioItem value="light">{text.light}</Menu.RadioItem>
          <Menu.RadioItem value="dark">{text.dark}</Menu.RadioItem>
          <Menu.RadioItem value="auto">{text.system}</Menu.RadioItem>
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
          {text.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
