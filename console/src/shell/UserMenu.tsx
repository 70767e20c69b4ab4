// The signed-in user; pressed, the user menu.
import { Avatar } from '@mantine/core'
import { useSignIn } from '../api/sign-in.ts'
import { useLater } from '../parts/use-later.ts'
import { text } from '../texts/shell.ts'
import { MenuButton } from './MenuButton.tsx'

const load = () => import('./UserChoices.tsx')

export function UserMenu() {
  const { user } = useSignIn()
  const [choices, want] = useLater(load)
  const name = user.name ?? user.email
  const face = {
    mark: <Avatar size={26} radius="xl" color="gray" name={name} alt="" aria-hidden />,
    of: text.pages.user,
    name,
  }
  if (choices === undefined) return <MenuButton {...face} aria-haspopup="menu" aria-expanded={false} onClick={want} />
  return <choices.UserChoices user={user} face={face} />
}
