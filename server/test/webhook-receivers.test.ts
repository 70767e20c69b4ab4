// The receivers in the guide to webhooks, run as they are printed: what a newcomer copies must refuse what is not genuine.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePorts } from '../faults/failover/process.ts'
import { signature } from '../src/features/webhooks/message.ts'
import { until } from './support/program.ts'

const guide = await readFile(join(import.meta.dirname, '../../docs/guides/webhooks.md'), 'utf8')
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const OLD_SECRET = 'a plain secret'

const php = ['-S', '127.0.0.1:9000', 'receiver.php']
for (const [language, file, program, needed, args] of [
  ['js', 'receiver.mjs', process.execPath, '--version', ['receiver.mjs']],
  ['python', 'receiver.py', 'python3', '--version', ['receiver.py']],
  ['php', 'receiver.php', 'php', '-rexit((int) !extension_loaded("pdo_sqlite"));', php],
] as const)
  test(`the receiver of the guide in ${language} stores a genuine call once, also with the former secret, and refuses any other`, {
    skip: spawnSync(program, [needed]).status !== 0 && `${program} is not found`,
  }, async (t) => {
    const cwd = await mkdtemp(join(tmpdir(), 'cashwrap-receiver-'))
    t.after(() => rm(cwd, { recursive: true }))
    const [port] = await freePorts(1)
    const here = (text: string) => text.replace('9000', String(port))
    const [, code = ''] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(guide) ?? []
    await writeFile(join(cwd, file), here(code))
    const env = { ...process.env, SECRET, OLD_SECRET }
    const receiver = spawn(program, args.map(here), { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] })
    t.after(async () => {
      receiver.kill()
      await once(receiver, 'exit')
    })
    let printed = ''
    receiver.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text
    })
    const send = async (secret: string, id: string, body: string, sent: string = body, age = 0) => {
      const timestamp = Math.floor(Date.now() / 1000) - age
      const given = `v1,AAAA ${signature(secret, { id, timestamp, body })}`
      const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': given }
      const url = `http://127.0.0.1:${port}/`
      return (await fetch(url, { method: 'POST', headers, body: sent })).status
    }
    await until('the receiver listens', () =>
      fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).then(Boolean, () => false),
    )
    const body = '{"name":"Käse ☕"}'
    assert.equal(await send(SECRET, 'evt_1', body), 204)
    assert.equal(await send(SECRET, 'evt_1', body), 204)
    assert.equal(await send(OLD_SECRET, 'evt_2', body), 204)
    assert.equal(await send('whsec_b3RoZXI=', 'evt_3', body), 401)
    assert.equal(await send(SECRET, 'evt_4', body, `${body} `), 401)
    assert.equal(await send(SECRET, 'evt_5', body, body, 400), 401)
    assert.equal((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })).status, 401)
    await until('each call is printed', () => printed.split(body).length === 4)
    assert.deepEqual(printed.match(/^(new|again) +(?=\{)/gm), ['new   ', 'again ', 'new   '])
  })
