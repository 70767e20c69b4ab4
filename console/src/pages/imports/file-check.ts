// Checks the beginning of a chosen file, so that one that cannot be a catalogue is rejected without an upload.
import { bytes } from '../../parts/format.ts'
import { text } from '../../texts/imports.ts'

/** The maximum size of an import in bytes. */
const mostBytes = 100 * 1024 * 1024
const lookedAt = 64 * 1024

/** Why a file cannot be imported, as far as its first bytes show; the server checks its columns. */
export async function whyNot(file: File): Promise<string | undefined> {
  if (file.size === 0) return text.isEmpty
  if (file.size > mostBytes) return text.tooLarge(bytes(file.size))
  const start = new Uint8Array(await file.slice(0, lookedAt).arrayBuffer())
  const isPacked = start[0] === 0x50 && start[1] === 0x4b
  const isOldSheet = start[0] === 0xd0 && start[1] === 0xcf && start[2] === 0x11
  if (isPacked || isOldSheet) return text.isSheet
  const isUtf16 = (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff)
  if (!isUtf16 && start.includes(0)) return text.isBinary
  return undefined
}
