// Points in time in the format of `<input type="datetime-local">`, in the browser's time zone.

/** To the minute; to the second if `characters` is 19. */
export function localOf(time: number, characters: 16 | 19 = 16): string {
  const date = new Date(time)
  return new Date(time - date.getTimezoneOffset() * 60_000).toISOString().slice(0, characters)
}

/** The typed time; undefined if it is not a time. */
export function timeOf(typed: string): string | undefined {
  const time = Date.parse(typed)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}
