// Why PostgreSQL ended while it started, for an operator who has to do something about it.
import assert from 'node:assert/strict'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { findCluster } from '../src/database/embedded/cluster.ts'
import { whyItFailed } from '../src/database/embedded/failed-start.ts'
import { dataFolder } from './support/program.ts'

test('the reason is its last complaint; without one it is how it ended, and not what it did before', async (t) => {
  const directory = await dataFolder(t)
  const reasonOf = async (log: string) => {
    await writeFile(join(directory, 'postgres.log'), log)
    const server = { pid: 7, complaint: '', ended: true, gone: Promise.resolve('ended by SIGKILL'), signal: () => {} }
    return whyItFailed(server, { directory, account: { name: 'any', uid: 1, gid: 1 } as never }, 0)
  }
  const recovery =
    '2026-11-28 17:06:01.717 UTC [9] LOG:  database system was interrupted; last known up at 2026-11-28 17:04:49 UTC\n'
  const probe = '2026-11-28 17:06:01.800 UTC [8] FATAL:  the database system is starting up\n'
  assert.equal(await reasonOf(recovery + probe), 'ended by SIGKILL')
  const killed =
    '2026-11-28 17:06:01.900 UTC [7] LOG:  startup process (PID 9) was terminated by signal 9: Killed\n' +
    '2026-11-28 17:06:01.901 UTC [7] LOG:  aborting startup due to startup process failure\n'
  assert.equal(await reasonOf(recovery + probe + killed), 'startup process (PID 9) was terminated by signal 9: Killed')
  const wrong = '2026-11-28 17:06:02.000 UTC [7] FATAL:  could not create shared memory segment\n'
  assert.equal(await reasonOf(recovery + probe + wrong), 'could not create shared memory segment')
})

const skip = process.getuid?.() !== 0 && 'only root can give files to another user'

test('the error tells root how to hand over a copy that belongs to root, or which user to start as for another user’s folder', {
  skip,
}, async (t) => {
  const folder = await dataFolder(t)
  const directory = join(folder, 'postgres')
  await mkdir(directory)
  await writeFile(join(directory, 'PG_VERSION'), '18\n')
  await assert.rejects(findCluster(folder), {
    message: /belongs to root, but PostgreSQL does not run as root: hand it over .*\(chown -R \w+ \S+\), or choose/,
  })
  await chown(directory, 4_242, 4_242)
  await assert.rejects(findCluster(folder), { message: /belongs to user 4242, .* start as user 4242\. / })
})
