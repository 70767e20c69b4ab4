// `npm run openapi` writes openapi.json and openapi.sdk.json; with `--check` it only checks that the committed files match the code.
import { readFileSync, writeFileSync } from 'node:fs'
import { apiDocument, apiSdkDocument } from '../../app.ts'

const root = new URL('../../../../', import.meta.url)
const documents = { 'openapi.json': apiDocument, 'openapi.sdk.json': apiSdkDocument }

for (const [name, make] of Object.entries(documents)) {
  const file = new URL(name, root)
  const text = `${JSON.stringify(make(), null, 2)}\n`
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text)
    console.log(`${name} is written.`)
  } else if (committed(file) === text) console.log(`${name} is fresh.`)
  else {
    console.error(`${name} is stale: run \`npm run openapi\` and commit it.`)
    process.exitCode = 1
  }
}

function committed(file: URL): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
