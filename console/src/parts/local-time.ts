// Points in time as `<input type="datetime-local">` has them, in the browser's zone.

/** To the minute; to the second where `characters` are 19. */
export function localOf(time: number, characters: 16 | 19 = 16): string {
  const date = new Date(time)
  return new Date(time - date.getTimezoneOffset() * 60_000).toISOString().slice(0, characters)
}

/** The time that is typed; undefined where it is none. */
export function timeOf(typed: string): string | undefined {
  const time = Date.parse(typed)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}
