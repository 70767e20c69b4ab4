// A real server of the protocol of S3 for tests: it checks signatures, and keeps objects as files in a folder.
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import type { ObjectStoreSettings } from '../../src/features/files/settings.ts'

/** A server that can be stopped and started again at the same port, with the objects that it had. */
interface ObjectServer {
  readonly settings: ObjectStoreSettings
  /** The names of all objects, without the bucket. */
  names(): Promise<string[]>
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops it and removes its objects. */
  close(): Promise<void>
}

const suffix = '._S3rver_object'

/** Starts a server with one bucket. */
export async function objectServer(): Promise<ObjectServer> {
  const directory = await mkdtemp(join(tmpdir(), 'objects-'))
  const open = async (port: number) => {
    const server = new S3rver({ port, directory, address: '127.0.0.1', silent: true, configureBuckets: [{ name: 'files' }] }) // biome-ignore format: one thought
    return { server, port: ((await server.run()) as AddressInfo).port }
  }
  let { server, port } = await open(0)
  return {
    settings: {
      bucket: 'files',
      prefix: 'shops/',
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      isPathStyle: true,
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
      sessionToken: undefined,
    },
    async names() {
      const bucket = join(directory, 'files')
      const found = existsSync(bucket) ? await readdir(bucket, { recursive: true }) : []
      return found.filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length))
    },
    stop: () => server.close(),
    async start() {
      ;({ server } = await open(port))
    },
    async close() {
      await server.close().catch(() => {})
      await rm(directory, { recursive: true })
    },
  }
}
