// Loads what appears over a page only on use, or once the user is signed out.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { onSignedOut } from '../api/request.ts'
import type { SignIn } from '../api/schemas.ts'
import { signInQuery } from '../api/sign-in.ts'
import { useLater } from '../parts/use-later.ts'

const load = () => import('./Over.tsx')

export function Later() {
  const client = useQueryClient()
  const [over, want] = useLater(load)
  const [ended, setEnded] = useState<SignIn>()
  const [isRemoved, setRemoved] = useState(false)

  useEffect(() => {
    if (over !== undefined) return
    const occasions = ['pointerdown', 'keydown'] as const
    for (const occasion of occasions) window.addEventListener(occasion, want)
    return () => {
      for (const occasion of occasions) window.removeEventListener(occasion, want)
    }
  }, [over, want])
  useEffect(
    () =>
      onSignedOut((isGone) => {
        const signIn = client.getQueryData(signInQuery.queryKey)
        if (signIn) setEnded(signIn)
        setRemoved(isGone)
        want()
        return signIn !== null && signIn !== undefined
      }),
    [client, want],
  )

  return over && <over.Over {...{ ended, isRemoved }} close={() => setEnded(undefined)} />
}
