// Whether something keeps the user waiting: what arrives at once needs no sign, which would only flicker.
import { useDebouncedValue } from '@mantine/hooks'

/** Milliseconds that nobody notices. */
const unnoticedMs = 200

export function useLate(isWaiting: boolean): boolean {
  const [wasWaiting] = useDebouncedValue(isWaiting, unnoticedMs)
  return isWaiting && wasWaiting
}
