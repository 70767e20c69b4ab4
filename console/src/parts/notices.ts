// Short notices of what was done, and of errors that have no form to appear in.
import { notifications } from '@mantine/notifications'
import { asProblem } from '../api/problem.ts'

/** Shows that something was done. */
export const notify = (message: string): void => void notifications.show({ message, color: 'teal' })

/** Shows what must be done first. */
export const warn = (message: string): void => void notifications.show({ message, color: 'yellow' })

/** Shows why something failed; `title` says what, if that is not clear. */
export const complain = (error: unknown, title?: string): void =>
  void notifications.show({ ...(title !== undefined && { title }), message: asProblem(error).message, color: 'red' })
