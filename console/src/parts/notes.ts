// Notes and metadata of records: which entries are plain text, and which are other JSON written by a program.

type Known = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Known =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A note for display: usually `{message, createdAt}`, or only a text. */
interface Note {
  readonly message: string
  readonly createdAt?: string
  /** Other members that a program added, such as an author. */
  readonly others: readonly (readonly [name: string, value: string])[]
}

/** The note in an entry; undefined if it is other JSON. */
export function noteOf(entry: unknown): Note | undefined {
  if (typeof entry === 'string') return { message: entry, others: [] }
  if (!isObject(entry) || typeof entry.message !== 'string') return undefined
  const { message, createdAt, ...rest } = entry
  const others = Object.entries(rest)
  if (createdAt !== undefined && typeof createdAt !== 'string') return undefined
  if (others.some(([, value]) => typeof value === 'object' && value !== null)) return undefined
  return {
    message,
    ...(createdAt !== undefined && { createdAt }),
    others: others.map(([name, value]) => [name, String(value)]),
  }
}

/** The entry with another message and all its other members. */
export const withMessage = (entry: unknown, message: string): unknown =>
  isObject(entry) ? { ...entry, message } : message

/** The metadata row in an entry; undefined if it is other JSON. */
export function pairOf(entry: unknown): { readonly key: string; readonly value: string } | undefined {
  if (!isObject(entry)) return undefined
  const { key = '', value = '', ...rest } = entry
  if (typeof key !== 'string' || typeof value !== 'string' || Object.keys(rest).length > 0) return undefined
  return { key, value }
}
