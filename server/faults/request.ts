// One HTTP request as a till sends it: it gets a response, or an error without one.
import { type Agent, type IncomingHttpHeaders, request } from 'node:http'

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Milliseconds after which a till gives up a request; longer than the service ever takes, on a loaded machine too. */
const patienceMs = 120_000

/** Sends a request; rejects if the connection fails, breaks, or stays silent. */
export function ask(
  agent: Agent,
  url: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body?: string },
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(patienceMs)
    const sent = request(url, { agent, method, headers, signal }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        if (!answer.complete) return reject(new Error('The answer broke off.'))
        const { statusCode: status = 0, headers } = answer
        resolve({ status, headers, text: Buffer.concat(chunks).toString() })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
