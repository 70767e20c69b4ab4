// What appears over any page: notices in the corner, and the password prompt after the sign-in has ended.
import '@mantine/notifications/styles.css'
import { Notifications, useNotifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { keepClearOfSave } from '../parts/clear-of-save.ts'
import { SignInAgain, type SignInAgainProps } from './SignInAgain.tsx'

export function Over(props: SignInAgainProps) {
  const hasNotices = useNotifications().notifications.length > 0
  useEffect(() => (hasNotices ? keepClearOfSave() : undefined), [hasNotices])
  return (
    <>
      {/* Belongs to no page: notices stay when the page changes. */}
      <Notifications position="bottom-right" autoClose={5000} limit={4} portalProps={{ reuseTargetNode: false }} />
      <SignInAgain {...props} />
    </>
  )
}
