// `npm run audit`: asks the registry for known vulnerabilities of all packages, tools included, and fails on high ones.
import { spawnSync } from 'node:child_process'
import { auditResult } from './audit-report.ts'
import { root } from './shipped.ts'

const { stdout, stderr } = spawnSync('npm', ['audit', '--json', '--package-lock-only'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
const { code, lines, failure } = auditResult(stdout, stderr)
for (const line of lines) console.log(line)
if (failure !== undefined) console.error(failure)
process.exitCode = code
