// The choices in the user menu: the profile, the colour scheme, and signing out.
import { Menu, useMantineColorScheme } from '@mantine/core'
import { IconLogout, IconUserCircle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { User } from '../api/sign-in.ts'
import { keepLanguage, type Language, language, languages } from '../language.ts'
import { useOpenAtOnce } from '../parts/use-later.ts'
import { text } from '../texts/shell.ts'
import { type Face, MenuButton } from './MenuButton.tsx'
import { useSignOut } from './sign-out.ts'

export function UserChoices({ user, face }: { user: User; face: Face }) {
  const [isOpen, setOpen] = useState(false)
  const button = useOpenAtOnce<HTMLButtonElement>(() => setOpen(true))
  const signOut = useSignOut()
  const { colorScheme, setColorScheme } = useMantineColorScheme()

  const choose = (value: string) => {
    keepLanguage(value as Language)
    location.reload()
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
        <Menu.Label>{text.language}</Menu.Label>
        <Menu.RadioGroup value={language} onChange={choose}>
          {Object.entries(languages).map(([one, name]) => (
            <Menu.RadioItem key={one} value={one} lang={one}>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
          {text.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
