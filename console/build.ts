// `npm run console`: builds the console if it is missing or out of date, with the compressed forms of each file.
import { appendFile, chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { dist, folder, isFresh, madeOf, markName, putInPlace, removeRemains } from './made-of.ts'

/** Writes each compressible file also as `.br` and `.gz`, so that no request waits for compression. */
async function compress(built: string): Promise<void> {
  const files = await readdir(built, { recursive: true, withFileTypes: true })
  const texts = files.filter((entry) => entry.isFile() && /\.(js|css|html|svg|json|md)$/.test(entry.name))
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
  console.error('Building the console, since its sources have changed.')
  await removeRemains(folder)
  const { build } = await import('vite')
  const made = madeOf()
  // Built beside its final place, so that a start in the meantime finds the old or the new build, never half of one.
  const outDir = await mkdtemp(join(folder, 'dist-'))
  try {
    await build({ configFile: join(folder, 'vite.config.ts'), logLevel: 'warn', build: { outDir, emptyOutDir: true } })
    const fontLicence = await readFile(join(folder, 'fonts/LICENSE'), 'utf8')
    await appendFile(join(outDir, 'licenses.md'), `\n## Geist, the font (OFL-1.1)\n\n${fontLicence}`)
    await compress(outDir)
    await writeFile(join(outDir, markName), made)
    // The temporary folder is for this user alone, and the service may run as another one.
    await chmod(outDir, 0o755)
    await putInPlace(outDir, dist)
  } finally {
    await rm(outDir, { recursive: true, force: true })
  }
}
