// `npm run audit`: asks the registry for known vulnerabilities of all packages, tools included, and fails on high ones.
import { spawnSync } from 'node:child_process'
import { root } from './shipped.ts'

interface Finding {
  readonly name: string
  readonly severity: string
  /** Advisories, or names of packages that have some. */
  readonly via: readonly (string | { readonly title: string; readonly url: string })[]
}

const { stdout, stderr } = spawnSync('npm', ['audit', '--json', '--package-lock-only'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
const report = parsed(stdout)
if (report?.vulnerabilities !== undefined) {
  const all: Finding[] = Object.values(report.vulnerabilities)
  // Packages that only depend on vulnerable ones are not listed.
  const findings = all
    .map(({ via, ...finding }) => ({ ...finding, advisories: via.filter((one) => typeof one !== 'string') }))
    .filter(({ advisories }) => advisories.length > 0)
  for (const { name, severity, advisories } of findings)
    console.log(`${severity}: ${name}: ${advisories.map(({ title, url }) => `${title} (${url})`).join('; ')}`)
  const high = findings.filter(({ severity }) => ['high', 'critical'].includes(severity)).length
  console.log(`Packages: ${findings.length} vulnerable, ${high} of them high or critical.`)
  if (high > 0) process.exitCode = 1
} else if ([404, 405, 501].includes(report?.statusCode)) {
  console.log(`not run: the registry has no audit service (${report.message})`)
} else {
  console.error(`The audit failed: ${report?.message ?? (stderr || stdout)}`)
  process.exitCode = 1
}

function parsed(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
