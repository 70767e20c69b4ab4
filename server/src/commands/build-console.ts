// Builds the console before the service starts, if it is missing or old: at the first start after an install or an
// update.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { isFresh } from '../../../console/made-of.ts'

const program = fileURLToPath(new URL('../../../console/build.ts', import.meta.url))
const bundler = fileURLToPath(new URL('../../../node_modules/vite', import.meta.url))

/**
 * Builds it in a separate process, whose memory is freed with it. If that fails, or only runtime dependencies are
 * installed, the service starts nevertheless: with the existing console, or with a page that says how to build one.
 */
export async function buildConsole(log: Logger, stop?: AbortSignal): Promise<void> {
  if (isFresh()) return
  if (!existsSync(bundler)) {
    log.warn(
      'the console is not built, or is older than the service; run `npm ci && npm run console` in the folder it is installed from',
    )
    return
  }
  log.info('building the console; this happens once')
  const building = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'pipe'] })
  stop?.addEventListener('abort', () => building.kill(), { once: true })
  let said = ''
  building.stderr.on('data', (text) => {
    said = (said + text).slice(-4_000)
  })
  const [code, signal] = await once(building, 'close')
  const why = signal === 'SIGKILL' ? ' (it was killed, probably for lack of memory)' : ''
  if (code !== 0 && !stop?.aborted)
    log.warn({ said }, `building the console failed${why}; \`npm run console\` tries again`)
}
