// Tells whether the user has waited for a while. A sign for what arrives at once would only flicker.
import { useDebouncedValue } from '@mantine/hooks'

/** Milliseconds that nobody notices. */
const unnoticedMs = 200

export function useLate(isWaiting: boolean): boolean {
  const [wasWaiting] = useDebouncedValue(isWaiting, unnoticedMs)
  return isWaiting && wasWaiting
}
