// Sends a sample of the answered requests once more: the same key must return the same response, byte for byte, and do no more work.
import { Agent } from 'node:http'
import type { Findings } from './findings.ts'
import type { Random } from './random.ts'
import { ask } from './request.ts'
import { headersOf, isSuccess } from './tills.ts'
import type { Work } from './works.ts'

const sampleSize = 300

/** Sends them again; returns how many. */
export async function resend(
  findings: Findings,
  { url, works, random }: { url: string; works: readonly Work[]; random: Random },
): Promise<number> {
  const agent = new Agent({ keepAlive: true })
  const left = works.filter(({ answer }) => answer && isSuccess(answer))
  let sent = 0
  try {
    for (; sent < sampleSize && left.length > 0; sent++) {
      const [work] = left.splice(random.below(left.length), 1) as [Work]
      const headers = headersOf(work, false)
      const reply = await ask(agent, url + work.path, { method: work.method, headers, body: work.body })
      const { status, text } = work.answer as { status: number; text: string }
      const how = [
        ...(reply.status === status ? [] : [`status ${reply.status} in place of ${status}`]),
        ...(reply.text === text ? [] : ['another text']),
        ...(reply.headers['idempotent-replayed'] === 'true' ? [] : ['no Idempotent-Replayed']),
      ]
      if (how.length > 0) findings.wrong.push(`${work.method} ${work.path} ${work.key} sent again: ${how.join(', ')}`)
    }
    return sent
  } finally {
    agent.destroy()
  }
}
