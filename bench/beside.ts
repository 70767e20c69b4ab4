// One request after the other of a company with little load: alone, and while another company keeps five hundred waiting.
import { type Outcome, type Request, wrkLoad } from './load.ts'
import type { Measurement } from './measurement.ts'
import { idMark, sampleBody } from './sample.ts'
import type { Company } from './started.ts'

/** Requests that the other company keeps waiting. */
const crowd = 500
/** Seconds for which it runs before and after the measurement. */
const marginSeconds = 1

/** A create and a read of the quiet company, each alone and beside as many of the same from the busy one. */
export async function besideACrowd(
  folder: string,
  url: string,
  { quiet, busy }: { quiet: Company; busy: Company },
): Promise<Measurement[]> {
  const create = ({ apiKey }: Company): Request => ({
    url,
    method: 'POST',
    path: '/v1/customer',
    apiKey,
    body: JSON.stringify(sampleBody),
  })
  const read = ({ apiKey }: Company): Request => ({ url, method: 'GET', path: `/v1/customer/${idMark}`, apiKey })
  const all: Measurement[] = []
  for (const [what, request] of [
    ['create', create],
    ['read', read],
  ] as const) {
    const alone = await wrkLoad(folder, request(quiet), quiet.ids)
    const crowded = await wrkLoad(folder, request(busy), busy.ids)
    const beside = async (seconds: number): Promise<Outcome> => {
      const others = crowded(crowd, seconds + 2 * marginSeconds)
      await new Promise((resolve) => setTimeout(resolve, marginSeconds * 1000))
      const [result] = await Promise.all([alone(1, seconds), others])
      return result
    }
    const line = { connections: 1, records: 1 }
    all.push({ ...line, name: `quiet ${what}, alone`, ours: (seconds) => alone(1, seconds) })
    all.push({ ...line, name: `quiet ${what}, beside ${crowd}`, ours: beside })
  }
  return all
}
