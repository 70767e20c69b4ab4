// Clients that keep their connections open and send one request after the other, for tests of a server that stops under load.
import { Agent, request } from 'node:http'
import { until } from './program.ts'

/** How a client ended: the code of the error, and whether its connection had been used before. */
export type Ending = readonly [code: string, wasOpen: boolean]

/** Starts 16 clients that read a URL until a request fails, and resolves once all of them are busy. */
export async function startClients(
  url: string,
  headers: Record<string, string>,
): Promise<{ ended: Promise<Ending[]> }> {
  let answered = 0
  const client = async (): Promise<Ending> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (;;) {
      const sending = request(url, { agent, headers })
      const failure = await new Promise<string | undefined>((resolve) => {
        sending.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
        sending.on('response', (answer) => answer.on('end', () => resolve(undefined)).resume())
        sending.end()
      })
      if (failure !== undefined) return [failure, sending.reusedSocket]
      answered++
    }
  }
  const ended = Promise.all(Array.from({ length: 16 }, client))
  await until('all are busy', () => answered > 500)
  return { ended }
}
