// `npm run collections` writes a Postman and a Bruno collection of openapi.json, for releases; into `collections/`, or the folder that is named.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { brunoCollection } from './bruno.ts'
import { postmanCollection } from './postman.ts'
import { chaptersOf } from './requests.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const reference = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
const { positionals } = parseArgs({ allowPositionals: true })
const folder = positionals[0] ?? join(root, 'collections')

const { title } = reference.info
const chapters = chaptersOf(reference)
const files = {
  'cashwrap.postman_collection.json': postmanCollection(title, chapters),
  ...Object.fromEntries(
    Object.entries(brunoCollection(title, chapters)).map(([path, text]) => [`bruno/${path}`, text]),
  ),
}
for (const [path, text] of Object.entries(files)) {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
console.log(`${chapters.flatMap(({ requests }) => requests).length} requests are written to ${folder}.`)
