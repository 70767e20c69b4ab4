// A reporter for `node --test`: after the results it prints the ten files that took longest, so that a slow one is noticed when it is written.
import type { TestEvent } from 'node:test/reporters'

/** Takes the outermost tests, which are files (worker.ts); prints a line for each of the ten slowest. */
export default async function* slowest(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files: { readonly name: string; readonly seconds: number }[] = []
  for await (const { type, data } of events) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting !== 0) continue
    files.push({ name: data.name, seconds: data.details.duration_ms / 1000 })
  }
  yield '\nThe slowest files:\n'
  for (const { name, seconds } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10)) {
    yield `${seconds.toFixed(1).padStart(8)} s  ${name}\n`
  }
}
