// Points in time in the format of `<input type="datetime-local">`, on the clocks of a time zone.

/** To the minute; to the second if `characters` is 19. */
export function localOf(time: number, timeZone: string, characters: 16 | 19 = 16): string {
  const clock = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone })
  // A year that is still being typed, such as 0002, has fewer digits.
  return clock.format(time).replace(' ', 'T').padStart(19, '0').slice(0, characters)
}

/** The instant at which the clocks of a zone show a time. If they skip it, the instant is later by the skipped minutes. */
export function instantOf(local: string, timeZone: string): number {
  const inUtc = Date.parse(`${local}Z`)
  const offsetAt = (at: number) => Date.parse(`${localOf(at, timeZone, 19)}Z`) - at
  // The offset of that time in UTC may be the one before or after a change of the clocks.
  const guess = inUtc - offsetAt(inUtc)
  const instant = inUtc - offsetAt(guess)
  return offsetAt(instant) === offsetAt(guess) ? instant : Math.max(guess, instant)
}

/** The typed time; undefined if it is not a time. */
export const timeOf = (typed: string, timeZone: string): string | undefined =>
  Number.isNaN(Date.parse(`${typed}Z`)) ? undefined : new Date(instantOf(typed, timeZone)).toISOString()
