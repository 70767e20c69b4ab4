// The error of a form as a whole; nothing if there is none.
import { Alert } from '@mantine/core'
import { Sentence } from './Sentence.tsx'

export function FormMessage({ children }: { children: string | undefined }) {
  if (!children) return null
  return (
    <Alert color="red" role="alert">
      <Sentence>{children}</Sentence>
    </Alert>
  )
}
