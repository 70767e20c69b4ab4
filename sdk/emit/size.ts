// `npm run sdk:size` shows what the SDK adds to a page: all of it, minified and compressed; and the lines written by hand.
import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))
const result = await build({
  root,
  configFile: false,
  logLevel: 'error',
  build: {
    write: false,
    rolldownOptions: { input: `${root}sdk/src/index.ts`, preserveEntrySignatures: 'strict' },
  },
})
const outputs = [result].flat().flatMap((one) => ('output' in one ? one.output : []))
const code = outputs.map((output) => ('code' in output ? output.code : '')).join('')
const size = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`
console.log(`bundle: ${size(Buffer.byteLength(code))} minified, ${size(gzipSync(code).length)} compressed (gzip)`)

// What only the emitter and \`cashwrap-types\` use is in no bundle.
const tools = new Set(['schema-types.ts', 'company-types.ts'])
let lines = 0
let withText = 0
for await (const name of glob('*.ts', { cwd: `${root}sdk/src` })) {
  if (tools.has(name)) continue
  const text = await readFile(`${root}sdk/src/${name}`, 'utf8')
  lines += text.split('\n').length - 1
  withText += text.split('\n').filter((line) => !/^\s*(\/\/|\/?\*|$)/.test(line)).length
}
console.log(`core: ${withText} lines of code, ${lines} with comments and empty lines`)
