// What comes over any page: short notices at the window's corner, and the question for the password where the sign-in has ended.
import '@mantine/notifications/styles.css'
import { Notifications } from '@mantine/notifications'
import { SignInAgain, type SignInAgainProps } from './SignInAgain.tsx'

export function Over(props: SignInAgainProps) {
  return (
    <>
      {/* Of no page: they stay when the page goes. */}
      <Notifications position="bottom-right" autoClose={5000} limit={4} portalProps={{ reuseTargetNode: false }} />
      <SignInAgain {...props} />
    </>
  )
}
