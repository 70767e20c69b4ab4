// The samples of the SDK in the reference: each operation of the SDK has one, and each is a correct program.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import ts from 'typescript'
import { sharedService } from '../../server/test/support/service.ts'
import { root } from './project.ts'

const service = sharedService()
const samples: Record<string, string> = JSON.parse(
  readFileSync(join(root, 'server/src/features/reference/samples.json'), 'utf8'),
)

test('each operation of the SDK has a sample in the reference, which is also the one of a company', async () => {
  const { call } = await service.company()
  for (const { body } of [await service.caller()('GET', '/v1/openapi.json'), await call('GET', '/v1/openapi.json')]) {
    const operations = Object.values<any>(body.paths).flatMap((methods) => Object.values<any>(methods))
    for (const [id, source] of Object.entries(samples)) {
      const shown = operations.find(({ operationId }) => operationId === id)
      assert.deepEqual(shown?.['x-codeSamples'], [{ lang: 'JavaScript', label: 'SDK', source }], id)
    }
  }
})

test('each sample is typed', () => {
  const name = join(root, 'sdk/test/all-samples.ts')
  const blocks = Object.entries(samples).map(([id, source]) => `export async function ${id}() {\n${source}\n}\n`)
  const text = `import { Cashwrap } from '../src/index.ts'\nconst client = new Cashwrap({ baseUrl: '' })\n${blocks.join('')}`
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, noUnusedLocals: false }, root)
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile
  host.getSourceFile = (file, version) =>
    file === name ? ts.createSourceFile(file, text, version) : read.call(host, file, version)
  const program = ts.createProgram([name], options, host)
  const source = program.getSourceFile(name)
  const wrong = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
  assert.deepEqual(
    wrong.map(({ start = 0, messageText }) => {
      const before = text.slice(0, start)
      return `${before.slice(before.lastIndexOf('function ')).split('(')[0]}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    }),
    [],
  )
})
