// A server of several workers that loses its processes: any worker, all of them, or the primary; real processes and full durability.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { startClients } from '../support/clients.ts'
import { cashwrap, cashwrapAlone, clusterFolder, type Program, serve, until } from '../support/program.ts'

const options = ['--json', '--workers', '2']

/** The processes of a server's workers, by number. */
function workersOf({ process: { pid } }: Program): number[] {
  const found: number[] = []
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry)))
    try {
      const parent = Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1])
      const [, number] = /worker (\d) of/.exec(readFileSync(`/proc/${name}/cmdline`, 'utf8')) ?? []
      if (parent === pid && number !== undefined) found[Number(number) - 1] = Number(name)
    } catch {
      // It has ended meanwhile.
    }
  return found
}

const postmasterOf = (folder: string) =>
  Number.parseInt(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10)

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A request on a connection of its own; undefined when the connection broke. */
async function send(url: string, key: string, method: string, path: string, body?: unknown) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json', connection: 'close' }
  try {
    const sent = await fetch(url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    return { status: sent.status, body: (await sent.json()) as any }
  } catch {
    return undefined
  }
}

/** Clients that write on new connections until stopped; the ids of what was answered. */
function writing({ url, said }: Program) {
  const answered: string[] = []
  let isOver = false
  let broken = 0
  const client = async () => {
    while (!isOver) {
      const reply = await send(url, said.companyKey, 'POST', '/v1/customer', { firstName: `Ada ${answered.length}` })
      if (reply?.status === 201) answered.push(reply.body.id)
      else broken++
    }
  }
  const clients = Promise.all(Array.from({ length: 6 }, client))
  return {
    answered,
    broken: () => broken,
    async stop() {
      isOver = true
      await clients
    },
  }
}

async function assertAllThere(url: string, key: string, ids: readonly string[]): Promise<void> {
  const there = new Set<string>()
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const reply = await send(url, key, 'GET', `/v1/customers?limit=1000${cursor && `&cursor=${cursor}`}`)
    for (const { id } of reply?.body.data ?? assert.fail()) there.add(id)
    cursor = reply?.body.meta.nextCursor
  }
  assert.deepEqual(
    ids.filter((id) => !there.has(id)),
    [],
  )
}

describe('workers', { concurrency: 2 }, () => {
  test('a killed worker is replaced while the other continues, and so are all if they are killed at once; no answered write is lost', async (t) => {
    const folder = await clusterFolder(t)
    const server = await serve(t, { CASHWRAP_DATA: folder }, options)
    const load = writing(server)
    const more = async (what: string) => {
      const before = load.answered.length
      await until(what, () => load.answered.length > before + 100)
    }
    const replaced = async (killed: readonly number[]) => {
      for (const pid of killed) process.kill(pid, 'SIGKILL')
      await more('requests go on')
      await until('there are two workers again', () => {
        const now = workersOf(server)
        return now.length === 2 && !now.some((pid) => killed.includes(pid))
      })
    }
    await more('some writes are answered')
    const first = workersOf(server)
    assert.equal(first.length, 2)
    await replaced(first.slice(1))
    assert.equal(workersOf(server)[0], first[0], 'the other one went on')
    await replaced(workersOf(server))
    await more('the new ones work')
    // An operator replaces a worker: it answers what it has, and breaks nothing.
    const brokenBefore = load.broken()
    const [replacing = 0] = workersOf(server)
    process.kill(replacing, 'SIGTERM')
    await until('it has ended', () => !isRunning(replacing))
    assert.equal(load.broken(), brokenBefore)
    await until('the log says that it was told to', () => server.log().includes('"a worker was stopped by a signal'))
    await load.stop()
    await assertAllThere(server.url, server.said.companyKey, load.answered)
    // A command uses the same PostgreSQL.
    const { stdout } = await cashwrap(['company', 'list', '--json'], { CASHWRAP_DATA: folder })
    assert.equal(JSON.parse(stdout).length, 1)
    for (const line of server.log().trimEnd().split('\n')) JSON.parse(line)
    const postmaster = postmasterOf(folder)
    assert.equal((await server.stop()).code, 0)
    // On a busy machine its last checkpoint may outlast the server, which ends within ten seconds.
    await until('PostgreSQL has ended', () => !isRunning(postmaster))
  })

  test('a worker that hangs is killed and replaced, and all requests are answered again', async (t) => {
    const server = await serve(t, { CASHWRAP_DATA: await clusterFolder(t) }, options)
    const [frozen = 0] = workersOf(server)
    process.kill(frozen, 'SIGSTOP')
    const load = writing(server)
    await until('it is gone', () => !isRunning(frozen))
    await until('there are two workers again', () => workersOf(server).filter(isRunning).length === 2)
    assert.match(server.log(), /did not answer for half a minute.*a worker ended; another one starts/)
    const before = load.answered.length
    await until('requests are answered', () => load.answered.length > before + 100)
    await load.stop()
    await assertAllThere(server.url, server.said.companyKey, load.answered)
  })

  test('the primary is killed: workers and PostgreSQL end, and the next start has every answered write', async (t) => {
    const folder = await clusterFolder(t)
    const server = await serve(t, { CASHWRAP_DATA: folder }, options)
    const { port } = new URL(server.url)
    const load = writing(server)
    await until('some writes are answered', () => load.answered.length > 100)
    const pids = [...workersOf(server), postmasterOf(folder)]
    assert.equal(pids.length, 3)
    server.process.kill('SIGKILL')
    // On the same port, which the workers of the killed one may still be leaving.
    await until('the workers have left the port', async () => (await send(server.url, '', 'GET', '/')) === undefined)
    const again = await serve(t, { CASHWRAP_DATA: folder, PORT: port }, options)
    await load.stop()
    await until('all have ended', () => !pids.some(isRunning))
    await assertAllThere(again.url, server.said.companyKey, load.answered)
    assert.equal((await again.stop()).code, 0)
  })

  test('clients that send one request after the other on open connections lose no request when the server stops', async (t) => {
    const server = await serve(t, { CASHWRAP_DATA: await clusterFolder(t) }, options)
    const { ended } = await startClients(`${server.url}/v1/customers`, { 'x-api-key': server.said.companyKey })
    assert.equal((await server.stop()).code, 0)
    for (const [failure, wasOpen] of await ended) {
      assert.equal(wasOpen, false)
      // The kernel resets a connection that it accepted for a worker that was just closing.
      assert.match(failure, /^(ECONNREFUSED|ECONNRESET)$/)
    }
  })

  test('a worker that cannot start ends the first start; later it is tried again, each time after a longer pause', async (t) => {
    const folder = await clusterFolder(t)
    // Runs before the program of each process.
    const failing = (when: string) => {
      const text = `import fs from 'node:fs'; if (/worker 2/.test(process.argv[2]) && ${when}) process.exit(9)`
      return { CASHWRAP_DATA: folder, NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(text)}"` }
    }
    const { code, stdout, stderr } = await cashwrapAlone(['serve', ...options], failing('true'))
    assert.equal(code, 70)
    const said = 'Cashwrap failed unexpectedly: Worker 2 ended with code 9 before it listened.'
    assert.match(stderr, new RegExp(`error: ${said}\\n`))
    assert.deepEqual(JSON.parse(stdout), { error: { exitCode: 70, message: said } })

    const fails = join(folder, 'fails')
    const server = await serve(t, failing(`fs.existsSync('${fails}')`), options)
    await writeFile(fails, '')
    process.kill(workersOf(server)[1] ?? 0, 'SIGKILL')
    const pauses = () =>
      [...server.log().matchAll(/another one starts in ([\d.]+) s/g)].map(([, pause]) => Number(pause))
    await until('it has failed a few times', () => pauses().length >= 5)
    assert.deepEqual(pauses().slice(0, 5), [0.1, 0.2, 0.4, 0.8, 1.6])
    assert.equal((await send(server.url, server.said.companyKey, 'GET', '/v1/whoami'))?.status, 200)
    await rm(fails)
    await until('it runs again', () => workersOf(server)[1] !== undefined)
    assert.equal((await server.stop()).code, 0)
  })

  test('a worker that the operating system refuses to start is tried again, while the others continue', async (t) => {
    const folder = await clusterFolder(t)
    const refused = join(folder, 'refused')
    // Runs in the primary too. A variable of this length makes each start fail at once, as does a lack of memory.
    const text = `import fs from 'node:fs'; setInterval(() => {
      process.env.LONG = fs.existsSync('${refused}') ? 'x'.repeat(200_000) : ''
    }, 5).unref()`
    const environment = { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(text)}"` }
    const server = await serve(t, { CASHWRAP_DATA: folder, ...environment }, options)
    await writeFile(refused, '')
    await until('it cannot be started', () => {
      assert.equal(server.process.exitCode, null, server.log())
      const [, second] = workersOf(server)
      if (second !== undefined && isRunning(second)) process.kill(second, 'SIGKILL')
      return server.log().includes('could not be started (spawn E2BIG)')
    })
    assert.equal((await send(server.url, server.said.companyKey, 'GET', '/v1/whoami'))?.status, 200)
    await rm(refused)
    await until('it runs again', () => workersOf(server)[1] !== undefined)
    assert.equal((await server.stop()).code, 0)
  })

  test('a second signal stops all at once', async (t) => {
    const server = await serve(t, { CASHWRAP_DATA: await clusterFolder(t) }, options)
    const pids = workersOf(server)
    // A request that never ends delays the first one. A worker has it once it asks for the body.
    const hanging = request(`${server.url}/v1/customer`, {
      method: 'POST',
      headers: {
        'x-api-key': server.said.companyKey,
        'content-type': 'application/json',
        'content-length': 100,
        expect: '100-continue',
      },
    })
    hanging.on('error', () => {}).flushHeaders()
    await once(hanging, 'continue')
    hanging.write('{')
    await until('it has ended', () => server.process.kill('SIGINT') === false || server.process.exitCode !== null)
    assert.equal((await server.ended).code, 130)
    await until('the workers have ended', () => !pids.some(isRunning))
  })

  test('webhooks of killed workers are sent by their successors', async (t) => {
    const environment = { CASHWRAP_DATA: await clusterFolder(t), CASHWRAP_WEBHOOK_ALLOW: '127.0.0.1' }
    const server = await serve(t, environment, options)
    const { url, said } = server
    const received: string[] = []
    const receiver = createServer((call, answer) => {
      let text = ''
      call.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      call.on('end', () => {
        received.push(text)
        answer.end()
      })
    }).listen(0, '127.0.0.1')
    t.after(() => receiver.close())
    await until('the receiver listens', () => receiver.listening)
    const { port } = receiver.address() as { port: number }
    const trigger = { triggerType: 'customer.created', triggerUrl: `http://127.0.0.1:${port}/` }
    assert.equal((await send(url, said.companyKey, 'POST', '/v1/automation-trigger', trigger))?.status, 201)
    const create = (firstName: string) => send(url, said.companyKey, 'POST', '/v1/customer', { firstName })
    assert.equal((await create('Before'))?.status, 201)
    await until('the first is sent', () => received.some((text) => text.includes('Before')))
    // One of the two holds the lease.
    const [first = 0, second = 0] = workersOf(server)
    process.kill(first, 'SIGKILL')
    await until('it is written', async () => (await create('After the first'))?.status === 201)
    process.kill(second, 'SIGKILL')
    await until('it is written', async () => (await create('After the second'))?.status === 201)
    await until('all are sent', () =>
      ['After the first', 'After the second'].every((name) => received.some((text) => text.includes(name))),
    )
    assert.equal((await server.stop()).code, 0)
  })
})
