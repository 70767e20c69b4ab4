// One of the processes of `npm test`: it runs one test file after another, since a process that has loaded and compiled the service runs the next file in a fraction of the time.
import { relative } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { connect } from '../../src/database/connect.ts'
import { testConnection } from './database.ts'
import { follow, forget } from './registration.ts'
import { stopShared } from './shared.ts'

let running = ''

// Without following each promise, node:test knows of no test that such an error belongs to, and would let that test wait.
function fail(error: unknown): never {
  console.error(`An error that no test has caught, in ${running}:`, error)
  process.exit(1)
}
process.prependListener('uncaughtException', fail).prependListener('unhandledRejection', fail)

/** Runs files, each as a test that contains those of the file, until the sequence has given all of them to a process. */
export async function runFiles(files: readonly string[], sequence: string): Promise<void> {
  const database = connect(testConnection(), { size: 1 })
  try {
    while (true) {
      const [row] = await database.query('select nextval($1)::int', [sequence])
      const file = files[(row?.[0] as number) - 1]
      if (file === undefined) break
      running = relative(process.cwd(), file)
      follow(true)
      await test(running, () => import(pathToFileURL(file).href).finally(() => follow(false)))
      forget()
    }
  } finally {
    await stopShared()
    await database.close()
  }
}
