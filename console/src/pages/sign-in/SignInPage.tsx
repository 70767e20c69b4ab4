// The sign-in page, which then continues to the requested page.
import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isRemoved, signInQuery } from '../../api/sign-in.ts'
import { text } from '../../texts/sign-in.ts'
import { destinationOf } from './begin.ts'
import { FormSkeleton, Frame } from './Frame.tsx'
import { SignInForm } from './SignInForm.tsx'

export function SignInPage() {
  const { to } = useSearch({ strict: false })
  const navigate = useNavigate()
  const { data, isPending, failureCount } = useQuery(signInQuery)
  const isSignedIn = data !== undefined && data !== null

  useEffect(() => {
    if (isSignedIn) void navigate({ href: destinationOf(to), replace: true })
  }, [isSignedIn, navigate, to])

  return (
    <Frame title={text.title} hint={text.subtitle}>
      {isSignedIn || (isPending && failureCount === 0) ? (
        <FormSkeleton fields={2} />
      ) : (
        <>
          {isRemoved() && (
            <Alert color="orange" title={text.removedTitle} mb="md">
              {text.removed}
            </Alert>
          )}
          <SignInForm purpose={{ what: 'sign-in', to }} />
        </>
      )}
    </Frame>
  )
}
