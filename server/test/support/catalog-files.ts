// Catalogue files that a test writes, and what the readers of the shops make of them.
import { createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { CatalogEntry } from '../../src/features/file-import/catalog/catalog.ts'
import { lightspeedCatalog } from '../../src/features/file-import/catalog/lightspeed.ts'
import type { CatalogFormat } from '../../src/features/file-import/catalog/load.ts'
import { shopifyCatalog } from '../../src/features/file-import/catalog/shopify.ts'
import { squareCatalog } from '../../src/features/file-import/catalog/square.ts'
import { woocommerceCatalog } from '../../src/features/file-import/catalog/woocommerce.ts'
import { csvOf } from '../../src/features/file-import/csv.ts'
import { formatOf } from '../../src/features/file-import/formats.ts'

/** A file of this machine as its readers see it. */
export const openCsv = (path: string) =>
  csvOf({ name: path, size: statSync(path).size, read: () => createReadStream(path) })

/** A folder that exists until the tests of the file are over, and functions that write a file there and read it again. */
export function catalogFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-files-'))
  after(() => rmSync(folder, { recursive: true }))
  let files = 0
  const write = (content: string | Buffer): string => {
    const path = join(folder, `${++files}.csv`)
    writeFileSync(path, content)
    return path
  }
  const open = (content: string | Buffer) => openCsv(write(content))
  /** The entries of a file, or the refusal of a file that is not the export of the shop; the outlet of a location has its name. */
  const readBy = (format: CatalogFormat) => async (content: string | Buffer) => {
    const file = await open(content)
    formatOf(file, format.shop)
    return Array.fromAsync(format.read(file, (location) => location))
  }
  return {
    write,
    csv: async (content: string | Buffer) => Array.fromAsync((await open(content)).rows()),
    woo: readBy(woocommerceCatalog),
    shopify: readBy(shopifyCatalog),
    lightspeed: readBy(lightspeedCatalog),
    square: readBy(squareCatalog),
  }
}

type Of<K> = Extract<CatalogEntry, { kind: K }>

/** The entries of one kind. */
export function only<K extends CatalogEntry['kind']>(entries: CatalogEntry[], kind: K): Of<K>[] {
  return entries.filter((entry): entry is Of<K> => entry.kind === kind)
}

/** The refused rows, each as its line and the reason. */
export const reasons = (entries: CatalogEntry[]): string[] =>
  only(entries, 'refused').map(({ line, reason }) => `${line}: ${reason}`)
