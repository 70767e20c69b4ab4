// A local file as the bytes of an import, for the command line.
import { createReadStream } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { OperatorError } from '../../core/operator-error.ts'
import type { Source } from './text-file.ts'

/** Bytes that are read at once. */
const READ_BYTES = 1 << 18

/** Throws an OperatorError if the file does not exist or cannot be read. */
export async function fileSource(path: string): Promise<Source> {
  const cannot = ({ message }: Error) => new OperatorError(`${path} cannot be read: ${message}.`)
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new OperatorError(`There is no file ${path}.`) : cannot(error)
  })
  if (!found.isFile()) throw new OperatorError(`${path} is not a file.`)
  await access(path, constants.R_OK).catch((error: Error) => {
    throw cannot(error)
  })
  return {
    name: path,
    size: found.size,
    read: () => createReadStream(path, { highWaterMark: READ_BYTES }),
    adviceFor: (shop) => `Use "cashwrap import ${shop}" for it.`,
  }
}
