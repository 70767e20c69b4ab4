// Which values of a body were so long that they may make a record too large: known from reading them, so that nobody has to measure each.

const long = new WeakSet<object>()

/** Notes that an object or array took more bytes than a record may have characters. */
export const noteLong = (value: object): void => void long.add(value)

/** Whether that was noted of a value. */
export const isLong = (value: object): boolean => long.has(value)

/** Notes that an object is made of the members of another. */
export const madeOf = <T extends object>(made: T, of: object): T => {
  if (long.has(of)) long.add(made)
  return made
}
