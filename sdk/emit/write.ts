// `npm run sdk` writes sdk/src/generated, and the samples of the reference, from the documents; with `--check` it only checks that the committed files match.
import { readFileSync, writeFileSync } from 'node:fs'
import { modelOf } from './model.ts'
import { samplesOf } from './print-samples.ts'
import { files } from './print-typescript.ts'

const root = new URL('../../', import.meta.url)
const documentIn = (name: string) => JSON.parse(readFileSync(new URL(name, root), 'utf8'))
const model = modelOf(documentIn('openapi.sdk.json'))
const samples = samplesOf(model, documentIn('openapi.json'))
const written = {
  ...Object.fromEntries(Object.entries(files(model)).map(([name, text]) => [`sdk/src/generated/${name}`, text])),
  'server/src/features/reference/samples.json': `${JSON.stringify(samples, null, 2)}\n`,
}
const isCheck = process.argv.includes('--check')

for (const [name, text] of Object.entries(written)) {
  const file = new URL(name, root)
  if (!isCheck) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${name} is stale: run \`npm run sdk\` and commit it.`)
    process.exitCode = 1
  }
}
