// The SDK as its users have it: clients of a running service, and a proxy that loses answers.
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { Company, TestService } from '../../server/test/support/service.ts'
import { Cashwrap, type ClientOptions } from '../src/index.ts'

/** A client with a company's key. */
export const clientOf = (service: TestService, { key }: Pick<Company, 'key'>, options: Partial<ClientOptions> = {}) =>
  new Cashwrap({ baseUrl: service.url, apiKey: key, ...options })

/** What becomes of a request: it is passed on; it is, but its answer is lost; or it never arrives. */
type Fate = 'passed' | 'answer lost' | 'refused'

/** A proxy in front of a service. */
interface FaultProxy {
  readonly url: string
  /** What happened to each request, with its method, path and idempotency key. */
  readonly seen: {
    readonly fate: Fate
    readonly method: string
    readonly path: string
    readonly key: string | undefined
  }[]
}

/** Starts a proxy that loses what `fateOf` says, by the number of the request. It ends with the test. */
export async function faultProxy(
  t: Pick<TestContext, 'after'>,
  target: string,
  fateOf: (request: number) => Fate,
): Promise<FaultProxy> {
  const seen: FaultProxy['seen'] = []
  const server = createServer((incoming, outgoing) => {
    const { method = '', url: path = '', headers } = incoming
    const fate = fateOf(seen.length)
    seen.push({ fate, method, path, key: headers['idempotency-key'] as string | undefined })
    if (fate === 'refused') return outgoing.destroy()
    const onward = send(target + path, { method, headers }, (answer) => {
      if (fate === 'answer lost') {
        // The work is done once the answer begins.
        answer.resume().once('end', () => outgoing.destroy())
        return
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing).once('error', () => {})
    })
    onward.once('error', () => outgoing.destroy())
    outgoing.once('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}
