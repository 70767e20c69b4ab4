// Who is signed in, how the console looks to them, and the way out.
import {
  Avatar,
  Menu,
  SegmentedControl,
  Text,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconLogout, IconSelector, IconUserCircle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { asProblem } from '../api/problem.ts'
import { send, setCsrfToken } from '../api/request.ts'
import { useSignIn } from '../api/sign-in.ts'
import { text } from '../texts/shell.ts'
import classes from './Switcher.module.css'

export function UserMenu() {
  const { user } = useSignIn()
  const client = useQueryClient()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const name = user.name ?? user.email

  async function signOut() {
    try {
      await send('person', '/v1/console/sign-in', { method: 'DELETE' })
    } catch (caught) {
      const { status, message } = asProblem(caught)
      // Whoever comes next would go on as this person; but where nobody is signed in any more, it is done.
      if (status !== 401) {
        notifications.show({ title: text.notSignedOut, message, color: 'red' })
        return
      }
    }
    setCsrfToken(undefined)
    client.clear()
    // A whole new page: nothing of the one before stays in memory.
    window.location.assign('/console/sign-in')
  }

  return (
    <Menu width={240} position="top-start">
      <Menu.Target>
        <UnstyledButton className={classes.button}>
          <Avatar size={26} radius="xl" color="gray" name={name} alt="" aria-hidden />
          <VisuallyHidden>{text.pages.user}:</VisuallyHidden>
          <Text size="sm" fw={500} className="cut" flex={1}>
            {name}
          </Text>
          <IconSelector size={15} aria-hidden className="muted" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className="cut">{user.email}</Menu.Label>
        <Menu.Item component={Link} to="/user" leftSection={<IconUserCircle size={16} />}>
          {text.pages.user}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{text.appearance}</Menu.Label>
        <SegmentedControl
          fullWidth
          size="xs"
          mx={8}
          mb={6}
          w="calc(100% - 16px)"
          aria-label={text.appearance}
          value={colorScheme}
          onChange={(value) => setColorScheme(value as 'light' | 'dark' | 'auto')}
          data={[
            { value: 'light', label: text.light },
            { value: 'dark', label: text.dark },
            { value: 'auto', label: text.system },
          ]}
        />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
          {text.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
