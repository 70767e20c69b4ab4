// `npm run console`: builds the console where it is missing or older than what it is made of, with each file's compressed forms.
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { dist, folder, isFresh, madeOf, markName } from './made-of.ts'

/** Each file that compresses also as `.br` and `.gz`: made once, so that no answer is compressed while somebody waits. */
async function compress(built: string): Promise<void> {
  const files = await readdir(built, { recursive: true, withFileTypes: true })
  const texts = files.filter((entry) => entry.isFile() && /\.(js|css|html|svg|json)$/.test(entry.name))
  await Promise.all(
    texts.map(async (entry) => {
      const path = join(entry.parentPath, entry.name)
      const bytes = await readFile(path)
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
      await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }))
      await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
    }),
  )
}

if (!isFresh() || process.argv.includes('--force')) {
  console.error('Building the console: once, until something of it changes.')
  const { build } = await import('vite')
  const made = madeOf()
  // Beside the place that it goes to, so that a start meanwhile finds the old one or the new one, and never half of it.
  const outDir = await mkdtemp(join(folder, 'dist-'))
  try {
    await build({ configFile: join(folder, 'vite.config.ts'), logLevel: 'warn', build: { outDir, emptyOutDir: true } })
    await compress(outDir)
    await writeFile(join(outDir, markName), made)
    await rm(dist, { recursive: true, force: true })
    await rename(outDir, dist)
  } finally {
    await rm(outDir, { recursive: true, force: true })
  }
}
