// Catalogue files that a test writes, and what the readers of the shops make of them.
import { createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { CatalogEntry } from '../../src/features/file-import/catalog/catalog.ts'
import { readLightspeed } from '../../src/features/file-import/catalog/lightspeed.ts'
import { readShopify } from '../../src/features/file-import/catalog/shopify.ts'
import { readSquare } from '../../src/features/file-import/catalog/square.ts'
import { readWooCommerce } from '../../src/features/file-import/catalog/woocommerce.ts'
import { csvOf } from '../../src/features/file-import/csv.ts'
import { formatOf } from '../../src/features/file-import/formats.ts'
import type { ShopName } from '../../src/features/file-import/layout.ts'

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
  /** Refused as the command refuses a file that is not the export of the shop. */
  const checked = async (content: string | Buffer, shop: ShopName) => {
    const file = await open(content)
    formatOf(file, shop)
    return file
  }
  return {
    write,
    csv: async (content: string | Buffer) => Array.fromAsync((await open(content)).rows()),
    woo: async (content: string | Buffer) => Array.fromAsync(readWooCommerce(await checked(content, 'woocommerce'))),
    shopify: async (content: string | Buffer) => Array.fromAsync(readShopify(await checked(content, 'shopify'))),
    lightspeed: async (content: string | Buffer) =>
      Array.fromAsync(readLightspeed(await checked(content, 'lightspeed'), (location) => location)),
    square: async (content: string | Buffer) =>
      Array.fromAsync(readSquare(await checked(content, 'square'), (location) => location)),
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
