// A reporter for `node --test`: after the results it prints the ten files that took longest, so that a slow one is noticed when it is written.
import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/** Takes the summary of each file; prints a line for each of the ten slowest. */
export default async function* slowest(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files: { readonly name: string; readonly seconds: number }[] = []
  for await (const { type, data } of events) {
    if (type !== 'test:summary' || data.file === undefined) continue
    files.push({ name: relative(process.cwd(), data.file), seconds: data.duration_ms / 1000 })
  }
  yield '\nThe slowest files:\n'
  for (const { name, seconds } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10)) {
    yield `${seconds.toFixed(1).padStart(8)} s  ${name}\n`
  }
}
