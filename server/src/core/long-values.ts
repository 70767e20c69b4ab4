// Marks values of a body that may make a record too large. They are found while the body is read, so that values need
// not be measured again.

const long = new WeakSet<object>()

/** Marks an object or array that took more bytes than a record may have characters. */
export const noteLong = (value: object): void => void long.add(value)

/** Whether a value is marked. */
export const isLong = (value: object): boolean => long.has(value)

/** Marks an object that is made from the members of a marked one. */
export const madeOf = <T extends object>(made: T, of: object): T => {
  if (long.has(of)) long.add(made)
  return made
}
