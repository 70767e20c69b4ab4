// Compiled code is cached between starts, also for the program's threads and worker processes.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

const program = new URL('../bin/cashwrap.js', import.meta.url).href

test('threads and worker processes use the same cache of compiled code as the program', () => {
  // Replaces the last line of the program by a thread that prints its cache folder.
  const script = `
    import { Worker } from 'node:worker_threads'
    const say = 'import module from "node:module"; import { parentPort } from "node:worker_threads"; parentPort.postMessage(module.getCompileCacheDir())'
    process.exit = () => new Worker(say, { eval: true }).once('message', (place) => console.error(place))
    process.argv = [process.execPath, 'cashwrap', 'secret']
    process.once('exit', () => console.error(process.env.NODE_COMPILE_CACHE))
    await import(${JSON.stringify(program)})`
  const { PATH = '', HOME = '' } = process.env
  const said = execFileSync('/bin/sh', ['-c', '"$0" --input-type=module --eval "$1" 2>&1', process.execPath, script], {
    env: { PATH, HOME },
    encoding: 'utf8',
  })
  const [place = '', told = ''] = said.trim().split('\n').slice(-2)
  assert.match(told, /\/node_modules\/\.cache\/cashwrap$/)
  assert.ok(place.startsWith(`${told}/v`), said)
})
