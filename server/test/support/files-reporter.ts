// A reporter for `node --test` that speaks of files: it prints the ten that took longest, so that a slow one is noticed when it is written, and lists those that failed for `npm test`.
import { writeFile } from 'node:fs/promises'
import type { TestEvent } from 'node:test/reporters'

/**
 * Takes the outermost tests, which are files (worker.ts); prints a line for each of the ten slowest. The names of those that
 * failed are in the file that `CASHWRAP_TEST_FAILURES` names, one per line.
 */
export default async function* files(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files: { readonly name: string; readonly seconds: number }[] = []
  const failed: string[] = []
  for await (const { type, data } of events) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting !== 0) continue
    files.push({ name: data.name, seconds: data.details.duration_ms / 1000 })
    if (type === 'test:fail') failed.push(data.name)
  }
  await writeFile(process.env.CASHWRAP_TEST_FAILURES as string, failed.map((name) => `${name}\n`).join(''))
  yield '\nThe slowest files:\n'
  for (const { name, seconds } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10)) {
    yield `${seconds.toFixed(1).padStart(8)} s  ${name}\n`
  }
}
