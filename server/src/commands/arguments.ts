// Arguments of options: each reader returns the value or says what it must be.
import { readFile } from 'node:fs/promises'
import { InvalidArgumentError } from 'commander'
import { canonicalDateTime, isDateTime } from '../core/date-time.ts'
import { unreadable } from '../core/file-errors.ts'
import { isId } from '../core/ids.ts'
import { NAME_CHARACTERS } from '../core/limits.ts'
import { type Permission, permissions } from '../core/scope.ts'

/** A name for people. */
export function readName(text: string): string {
  const name = text.trim()
  if (name === '') throw new InvalidArgumentError('A name must not be empty.')
  if (name.length > NAME_CHARACTERS)
    throw new InvalidArgumentError(`A name has at most ${NAME_CHARACTERS} characters; this one has ${name.length}.`)
  return name
}

export function readCurrency(text: string): string {
  if (!/^[A-Z]{3}$/i.test(text))
    throw new InvalidArgumentError('A currency is a three-letter ISO 4217 code, such as EUR.')
  return text.toUpperCase()
}

export function readEmail(text: string): string {
  if (text.length > NAME_CHARACTERS || !/^[^\s\p{Cc}@]+@[^\s\p{Cc}@.]+(\.[^\s\p{Cc}@.]+)+$/u.test(text))
    throw new InvalidArgumentError('An e-mail address is expected, such as owner@example.com.')
  return text
}

/** The id of a record; whether it exists is checked later. */
export function readId(text: string): string {
  if (!isId(text)) throw new InvalidArgumentError('An id has 24 characters of 0-9 and a-f.')
  return text
}

export function readPermissions(text: string): Permission[] {
  const asked = text.split(',').map((word) => word.trim())
  const unknown = asked.find((word) => !permissions.includes(word as Permission))
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      `${unknown === '' ? 'A permission between two commas is missing' : `Unknown permission ${JSON.stringify(unknown)}`}; ` +
        `the permissions are ${permissions.join(', ')}, separated by commas.`,
    )
  return permissions.filter((permission) => asked.includes(permission))
}

/** A time in the future; a bare date means its midnight UTC. */
export function readExpiry(text: string): string {
  if (!isDateTime(text))
    throw new InvalidArgumentError('This date does not exist; write 2027-12-31 or 2027-12-31T18:00:00Z.')
  const time = canonicalDateTime(text)
  if (Date.parse(time) <= Date.now()) throw new InvalidArgumentError(`${time} is in the past.`)
  return time
}

/** A point in time; a bare date means its midnight UTC. */
export function readMoment(text: string): string {
  if (!isDateTime(text))
    throw new InvalidArgumentError(
      'This time does not exist; write 2026-12-31T18:00:00Z or 2026-12-31T18:00:00.250+01:00.',
    )
  return canonicalDateTime(text)
}

/** The text of a file that an option names. */
export const readTextFile = (path: string): Promise<string> => readFile(path, 'utf8').catch(unreadable(path))
