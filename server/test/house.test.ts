// The rules of the house that a reader relies on (ARCHITECTURE.md, CONTRIBUTING.md), checked on the files themselves.
import assert from 'node:assert/strict'
import { access, glob, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folders = ['server/{bin,src,test,faults,dependencies,collections}', 'console', 'bench', 'sdk/{bin,emit,src,test}']

/** Folders whose files are written by programs; a killed build of the console leaves `console/dist-…`. */
const isGenerated = (path: string) => /^(console\/dist(-.*)?|console\/generated|sdk\/src\/generated)$/.test(path)

/** What a file imports of ours, as paths from the root. */
type Imports = ReadonlyMap<string, readonly string[]>

const texts = new Map<string, string>()
const imports = new Map<string, string[]>()

before(async () => {
  const options = { cwd: root, exclude: isGenerated }
  for (const folder of folders)
    for await (const file of glob(`${folder}/**/*.{ts,tsx,js,sql}`, options))
      texts.set(file, await readFile(join(root, file), 'utf8'))
  for (const [file, text] of texts) {
    const named = [...text.matchAll(/(?:\bfrom|^import|\bimport\()\s*'(\.[^']+)'/gm)].map(([, path = '']) =>
      relative(root, join(root, dirname(file), path)),
    )
    imports.set(
      file,
      named.filter((path) => texts.has(path)),
    )
  }
})

/** Groups of files, or folders, that import each other, each group once. */
function circles(graph: Imports): string[] {
  const reach = new Map<string, Set<string>>()
  for (const from of graph.keys()) {
    const seen = new Set<string>()
    const open = [from]
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const to of graph.get(at) ?? [])
        if (!seen.has(to)) {
          seen.add(to)
          open.push(to)
        }
    reach.set(from, seen)
  }
  const groups = [...graph.keys()]
    .filter((file) => reach.get(file)?.has(file))
    .map((file) =>
      [...graph.keys()].filter((other) => reach.get(file)?.has(other) && reach.get(other)?.has(file)).join(' ⇄ '),
    )
  return [...new Set(groups)]
}

/** Which of some files import any of others. */
const importing = (from: RegExp, what: RegExp): string[] =>
  [...imports].flatMap(([file, paths]) =>
    from.test(file) ? paths.filter((path) => what.test(path)).map((path) => `${file} imports ${path}`) : [],
  )

describe('the house', () => {
  it('opens each file with a sentence that says why it exists', () => {
    // The comment at the beginning, unless it is one for tools.
    const opening = /^(?:#!.*\n)?((?:(?:\/\/|--) (?!biome-|@ts-).*\n)+)/
    const silent = [...texts].filter(([, text]) => !/[.?](\s|$)/.test(opening.exec(text)?.[1] ?? ''))
    assert.deepEqual(
      silent.map(([file]) => file),
      [],
    )
  })

  it('has no circular imports', () => {
    // The inputs of a member that holds members.
    const isMeant = 'console/src/parts/MemberInput.tsx ⇄ console/src/parts/MembersInput.tsx'
    assert.deepEqual(
      circles(imports).map((group) => group.split(' ⇄ ').sort().join(' ⇄ ')),
      [isMeant],
    )
  })

  it('has one meaning for each name of a type of the server', () => {
    const declared = [...texts].flatMap(([file, text]) =>
      file.startsWith('server/src/')
        ? [...text.matchAll(/^(?:export )?(?:interface|type|class) (\w+)/gm)].map(([, name]) => ({ name, file }))
        : [],
    )
    const repeated = [...Map.groupBy(declared, ({ name }) => name)].filter(([, all]) => all.length > 1)
    assert.deepEqual(
      repeated.map(([name, all]) => [name, ...all.map(({ file }) => file)]),
      [],
    )
  })

  it('loads optional packages only when they are used, not at each start', () => {
    const valuesOf = (text: string) =>
      [...text.matchAll(/^(?:import|export)\s(?!type\b)(?:[^'"]*?\sfrom )?'([^']+)'/gm)].map(([, path = '']) => path)
    const loaded = new Set(['server/src/service.ts', 'server/src/commands/serve.ts'])
    const packages = new Set<string>()
    for (const file of loaded)
      for (const path of valuesOf(texts.get(file) ?? ''))
        path.startsWith('.') ? loaded.add(join(dirname(file), path)) : packages.add(path)
    assert.ok(packages.has('fastify') && loaded.size > 300)
    const some =
      /^(nodemailer|stripe|openid-client|pino-pretty|cli-progress|prom-client|@opentelemetry|@modelcontextprotocol)/
    assert.deepEqual([...packages].filter((name) => some.test(name)), []) // biome-ignore format: one thought
  })

  it('has features that depend on each other one way only', () => {
    const featureOf = (path: string) => /^server\/src\/features\/([^/]+)\//.exec(path)?.[1]
    const graph = new Map<string, string[]>()
    for (const [file, paths] of imports) {
      const feature = featureOf(file)
      if (feature === undefined) continue
      const others = paths.flatMap((path) => featureOf(path) ?? []).filter((other) => other !== feature)
      graph.set(feature, [...(graph.get(feature) ?? []), ...others])
    }
    assert.deepEqual(circles(graph), [])
  })

  it('has no import from a lower folder to a higher one', () => {
    const src = (folder: string) => new RegExp(`^server/src/${folder}`)
    assert.deepEqual(importing(src('core/'), src('(?!core/)')), [])
    assert.deepEqual(importing(src('metrics/'), src('(?!core/|metrics/)')), [])
    assert.deepEqual(importing(src('tracing/'), src('(?!core/|tracing/)')), [])
    assert.deepEqual(importing(src('concurrency/'), src('(?!core/|metrics/|tracing/|concurrency/)')), [])
    assert.deepEqual(importing(src('database/'), src('(?!core/|metrics/|tracing/|concurrency/|database/)')), [])
    assert.deepEqual(
      importing(src('http/(?!openapi/write)'), src('(?!core/|metrics/|tracing/|concurrency/|http/)')),
      [],
    )
    assert.deepEqual(importing(src('engine/'), src('(?!core/|concurrency/|database/|engine/|http/route\\.ts)')), [])
    assert.deepEqual(importing(src('resources/'), src('(features|commands|workers|app)')), [])
    assert.deepEqual(importing(src('features/'), src('(commands|workers|app|main|service)')), [])
    assert.deepEqual(importing(src('features/sales/amounts/'), src('features/(?!sales/amounts/)')), [])
    // The decimals of currencies, and the guard against formulas, are in one file each, which the console is built with.
    assert.deepEqual(importing(/^console\//, /^server\/(?!src\/core\/(currency|formulas)\.ts)/), [])
    for (const shared of ['currency', 'formulas']) assert.deepEqual(imports.get(`server/src/core/${shared}.ts`), [])
    // The SDK is a package of its own.
    assert.deepEqual(importing(/^sdk\/(src|bin)\//, /^(?!sdk\/src\/)/), [])
    assert.deepEqual(importing(/^(server\/(bin|src|faults)|bench)\//, /^sdk\//), [])
    assert.deepEqual(importing(/^server\/src\//, /^(server\/(test|faults)|bench|console)\//), [
      // `npm start` builds the console where it is missing or old.
      'server/src/commands/build-console.ts imports console/made-of.ts',
    ])
  })

  it('types nothing of the API by hand in the console', async () => {
    const { components } = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8'))
    const schemas = Object.entries<{ properties?: object }>(components.schemas)
    const copies = [...texts].flatMap(([file, text]) =>
      [...text.matchAll(/^(?:export )?(?:interface|type) (\w+)[^{\n]*\{\n((?: {2}.*\n)*)\}/gm)].flatMap(
        ([, name, body = '']) => {
          const members = [...body.matchAll(/^ {2}readonly '?([\w-]+)'?\??:/gm)].map(([, member = '']) => member)
          const [copied] = schemas.find(([, { properties = {} }]) => members.every((one) => one in properties)) ?? []
          const isCopy = file.startsWith('console/src/') && members.length > 2 && copied !== undefined
          return isCopy ? [`${file}: ${name} is a part of ${copied} (api/schemas.ts)`] : []
        },
      ),
    )
    assert.deepEqual(copies, [])
  })

  it('has documents whose links lead somewhere, and a security policy whose tests exist', async () => {
    const documents = new Map<string, string>()
    for await (const file of glob(['*.md', '{docs,bench,deploy}/**/*.md'], { cwd: root }))
      documents.set(file, await readFile(join(root, file), 'utf8'))
    const anchorOf = (heading: string) =>
      heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-') // biome-ignore format: one thought
    const anchorsOf = (text: string) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
    const dead: string[] = []
    for (const [file, text] of documents)
      for (const [, path = '', anchor] of text.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)) {
        const target = path === '' ? file : join(dirname(file), path)
        const isFound = await access(join(root, target)).then(() => true, () => false) // biome-ignore format: one thought
        const linked = documents.get(target)
        if (!isFound || (anchor && linked !== undefined && !anchorsOf(linked).includes(anchor)))
          dead.push(`${file}: ${path}${anchor ? `#${anchor}` : ''}`)
      }
    assert.deepEqual(dead, [])
    const named = [...(documents.get('SECURITY.md') ?? '').matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, name]) => name)
    assert.ok(named.length > 40)
    assert.deepEqual(
      named.filter((name) => !texts.has(`server/test/${name}`)),
      [],
    )
  })

  it('names only files that exist in ARCHITECTURE.md and docs/internals', async () => {
    // With their endings, or as paths below server/src.
    const named = /`([\w./-]+\.(?:tsx?|js|sql)|(?:core|database|http|engine|resources|features|workers)\/[\w./-]+)`/g
    const lost: string[] = []
    for await (const file of glob(['ARCHITECTURE.md', 'docs/internals/*.md'], { cwd: root }))
      for (const [, name = ''] of (await readFile(join(root, file), 'utf8')).matchAll(named)) {
        const path = new RegExp(`(^|/)${name.replace(/\/$/, '').replaceAll('.', '\\.')}(\\.tsx?|/|$)`)
        if (![...texts.keys()].some((known) => path.test(known))) lost.push(`${file}: ${name}`)
      }
    assert.deepEqual(lost, [])
  })

  it('exports nothing that only its own file uses', () => {
    // Generated files use what the SDK exports, and bench/rivals copies a file beside its programs.
    const isSeen = (file: string) => !/^(sdk|server\/test|bench\/rivals)\//.test(file)
    const used = new Set<string>()
    const whole = new Set<string>()
    for (const [file, text] of texts) {
      const pathOf = (path: string) => relative(root, join(root, dirname(file), path))
      for (const [, names, path = ''] of text.matchAll(/^(?:import|export) ([^'"]+?) from '(\.[^']+)'/gm))
        if (names?.includes('*')) whole.add(pathOf(path))
        else for (const [name] of names?.matchAll(/\w+/g) ?? []) used.add(`${pathOf(path)} ${name}`)
      for (const [, path = ''] of text.matchAll(/\bimport\(\s*'(\.[^']+)'/g)) whole.add(pathOf(path))
    }
    const idle = [...texts]
      .filter(([file]) => isSeen(file))
      .flatMap(([file, text]) =>
        [...text.matchAll(/^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm)]
          .filter(([, name]) => !whole.has(file) && !used.has(`${file} ${name}`))
          .map(([, name]) => `${file}: ${name}`),
      )
    assert.deepEqual(idle, [])
  })

  it('has no function of more than 70 lines outside of tests', () => {
    const long: string[] = []
    for (const [file, text] of texts) {
      if (!/^(server\/(bin|src|faults)|console|bench)\/.*\.tsx?$/.test(file)) continue
      // Parsing is what takes the time.
      if (text.split('\n').length <= 70) continue
      const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
      const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line
      const visit = (node: ts.Node): void => {
        const body = ts.isFunctionLike(node) && 'body' in node ? (node.body as ts.Node | undefined) : undefined
        const lines = body ? lineOf(body.end) - lineOf(body.getStart(source)) + 1 : 0
        if (lines > 70) long.push(`${file}:${lineOf(node.getStart(source)) + 1} has ${lines} lines`)
        ts.forEachChild(node, visit)
      }
      visit(source)
    }
    assert.deepEqual(long, [])
  })

  it('declares values and members one by one, not several in a literal that only saves lines', () => {
    const packed: string[] = []
    for (const [file, text] of texts) {
      // A list of names ends where its values begin, on one line.
      const mayPack = /\.\.\.\s*\{|\b(?:const|let|var)\s*\[[\s\S]*?\][^\n]*=\s*\[/.test(text)
      if (!/\.tsx?$/.test(file) || !mayPack) continue
      const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
      const visit = (node: ts.Node): void => {
        if (isSpreadLiteral(node) || isPackedDeclaration(node))
          packed.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`)
        ts.forEachChild(node, visit)
      }
      visit(source)
    }
    assert.deepEqual(packed, [])
  })

  it('has `npm run test:long` try all variants of each test that `npm test` tries in turn', async () => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const files = scripts['test:long'].split(' ')
    const isTurning = ([file, named]: [string, readonly string[]]) =>
      /^server\/test\/[\w-]+\.test\.ts$/.test(file) &&
      (named.includes('server/test/support/variants.ts') ||
        /import \{[^}]*\b(inTurn|inOneStyle)\b[^}]*\} from '\.\/support\/routes\.ts'/.test(texts.get(file) ?? ''))
    const turning = [...imports].filter(isTurning).map(([file]) => file)
    assert.deepEqual(
      turning.filter((file) => !files.includes(file)),
      [],
    )
    assert.ok(turning.length > 5)
  })
})

/** Whether a node is `...{ a, b }` in an object literal. */
const isSpreadLiteral = (node: ts.Node): boolean =>
  ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression)

/** Whether a node is `const [a, b] = [x, y]`. */
function isPackedDeclaration(node: ts.Node): boolean {
  if (!ts.isVariableStatement(node)) return false
  const [{ name, initializer } = {}, another] = node.declarationList.declarations
  if (another || !name || !ts.isArrayBindingPattern(name) || !initializer) return false
  if (!ts.isArrayLiteralExpression(initializer) || initializer.elements.some(ts.isSpreadElement)) return false
  return name.elements.length === initializer.elements.length
}
