// `npm run sdk` writes sdk/src/generated from openapi.sdk.json; with `--check` it only checks that the committed files match.
import { readFileSync, writeFileSync } from 'node:fs'
import { modelOf } from './model.ts'
import { files } from './print-typescript.ts'

const root = new URL('../../', import.meta.url)
const document = JSON.parse(readFileSync(new URL('openapi.sdk.json', root), 'utf8'))
const isCheck = process.argv.includes('--check')

for (const [name, text] of Object.entries(files(modelOf(document)))) {
  const file = new URL(`sdk/src/generated/${name}`, root)
  if (!isCheck) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`sdk/src/generated/${name} is stale: run \`npm run sdk\` and commit it.`)
    process.exitCode = 1
  }
}
