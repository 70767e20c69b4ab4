// `npm run openapi` writes openapi.json; with `--check` it only checks that the committed file matches the code.
import { readFileSync, writeFileSync } from 'node:fs'
import { apiDocument } from '../../app.ts'

const file = new URL('../../../../openapi.json', import.meta.url)
const text = `${JSON.stringify(apiDocument(), null, 2)}\n`

if (!process.argv.includes('--check')) {
  writeFileSync(file, text)
  console.log('openapi.json is written.')
} else if (committed() === text) console.log('openapi.json is fresh.')
else {
  console.error('openapi.json is stale: run `npm run openapi` and commit it.')
  process.exitCode = 1
}

function committed(): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
