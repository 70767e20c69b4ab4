// The port that a service listens on: why it cannot listen, and how several processes share a port that no other
// program has.
import { once } from 'node:events'
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net'
import { OperatorError } from '../../core/operator-error.ts'

/** A port that the processes of one server share. */
interface SharedPort {
  readonly port: number
  release(): void
}

/** Opens a port for a moment; returns its number, for 0 that of a free one. Throws OperatorError if the port is taken. */
export async function tryPort(host: string, port: number): Promise<number> {
  try {
    const server = await listening({ host, port })
    const { port: found } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    return found
  } catch (error) {
    throw cannotListen(error as NodeJS.ErrnoException, host, port)
  }
}

/**
 * Claims a port for the processes of one server; 0 becomes a free one. Any process of this user that asks to share the
 * port would get a part of its connections, so it is first opened unshared, which fails if anything listens there.
 * Until the processes listen, another server could find it free as well: a name that the kernel gives to one process
 * only, and takes back at its end, keeps that server out. Throws OperatorError if the port is taken.
 */
export async function claimPort(host: string, port: number): Promise<SharedPort> {
  const found = await tryPort(host, port)
  const claim = await listening({ path: `\0cashwrap-port-${host}-${found}` }).catch((error) => {
    throw cannotListen(error, host, port)
  })
  return { port: found, release: () => void claim.close() }
}

async function listening(options: ListenOptions): Promise<Server> {
  const server = createServer((socket) => socket.destroy())
    .listen(options)
    .unref()
  await once(server, 'listening')
  return server
}

/** Says why the service cannot listen, and what the operator can do. */
export function cannotListen({ code, message }: NodeJS.ErrnoException, host: string, port: number): OperatorError {
  if (code === 'EADDRINUSE')
    return new OperatorError(
      `Port ${port} on ${host} is taken. Set PORT to another one, or stop the program that uses it.`,
    )
  if (code === 'EACCES') return new OperatorError(`This user may not open port ${port}. Set PORT to one above 1023.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new OperatorError(`This machine has no address ${host}. Set HOST to one that it has, such as 127.0.0.1.`)
  return new OperatorError(`The service cannot listen on ${host}:${port}: ${message}.`)
}
