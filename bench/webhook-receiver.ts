// A receiver of webhooks in a separate process, which records when it was called.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveParent } from './child.ts'

/** Nanoseconds of the machine's clock at which each event first arrived, by the number in the record's name. */
let seen: Record<string, string> = {}
let twice = 0

const server = createServer((request, response) => {
  const at = process.hrtime.bigint()
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (part) => {
    text += part
  })
  request.on('end', () => {
    const [, number = ''] = /"firstName":"n(\d+)"/.exec(text) ?? []
    if (seen[number] === undefined) seen[number] = String(at)
    else twice++
    response.end()
  })
})

async function answer({ ask }: { ask: 'start' | 'take' }): Promise<unknown> {
  if (ask === 'take') {
    const taken = { seen, twice }
    seen = {}
    twice = 0
    return taken
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

serveParent(answer, async () => server.close())
