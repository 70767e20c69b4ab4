// The yardstick as a participant: it sends what Cashwrap answered to the same requests.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { idMark } from '../sample.ts'
import type { Answers, Participant } from './participant.ts'
import type { Rival } from './rival.ts'
import { freePort, startServer } from './server.ts'

const program = fileURLToPath(new URL('bare.ts', import.meta.url))

export const bare: Rival = {
  name: 'bare',
  label: 'bare Fastify',
  prepare: async () => '',
  command: ({ folder }) => ({ args: [program, join(folder, 'answers.json')], env: {} }),
  readyPath: '/',
  table: '',
  requests: async () => ({ read: '', list: '', counted: '', search: '', create: { path: '', body: {} } }),
}

/** Starts it with the answers of Cashwrap, to be asked with the same bodies and headers on its own paths. */
export async function bareParticipant(
  answers: Answers,
  { requests, ids }: Participant,
  folder: string,
): Promise<Participant> {
  const list = [...answers].map(([job, answer]) => ({ job, ...answer }))
  await writeFile(join(folder, 'answers.json'), JSON.stringify(list))
  const port = await freePort()
  const command = { args: [program, join(folder, 'answers.json')], env: {} }
  const server = await startServer(command, { folder, port }, '/')
  const { headers, create, bulk } = requests
  return {
    rival: bare,
    server,
    ids,
    restMB: await server.memory(),
    requests: {
      ...(headers && { headers }),
      read: `/read/${idMark}`,
      list: '/list',
      counted: '/counted',
      search: '/search',
      create: { ...create, path: '/create' },
      ...(bulk && { bulk: { ...bulk, path: '/bulk' } }),
    },
  }
}
