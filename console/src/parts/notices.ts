// Short notices of what was done, and of what the server refused where no form stands to say it in.
import { notifications } from '@mantine/notifications'
import { asProblem } from '../api/problem.ts'

/** Says what was done. */
export const tell = (message: string): void => void notifications.show({ message, color: 'teal' })

/** Says what has to be done first. */
export const warn = (message: string): void => void notifications.show({ message, color: 'yellow' })

/** Says why something was not done; `title` where it is not plain what. */
export const complain = (error: unknown, title?: string): void =>
  void notifications.show({ ...(title !== undefined && { title }), message: asProblem(error).message, color: 'red' })
