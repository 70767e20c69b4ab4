// What `npm audit --json` reported, as lines for people and an exit code: apart from the command, so that tests of each kind of report need no npm.

interface Finding {
  readonly name: string
  readonly severity: string
  /** Advisories, or names of packages that have some. */
  readonly via: readonly (string | { readonly title: string; readonly url: string })[]
}

/** What is printed, and the exit code. */
interface AuditResult {
  readonly code: 0 | 1
  /** Lines of standard output. */
  readonly lines: readonly string[]
  /** What went wrong, for standard error; absent if the audit was made, or if there is nothing to ask. */
  readonly failure?: string
}

/** Reads a report: fails on high and critical findings, and if the audit failed. */
export function auditResult(stdout: string, stderr = ''): AuditResult {
  const report = parsed(stdout)
  if (report?.vulnerabilities !== undefined) return resultOf(Object.values(report.vulnerabilities))
  if ([404, 405, 501].includes(report?.statusCode))
    return { code: 0, lines: [`not run: the registry has no audit service (${report.message})`] }
  return { code: 1, lines: [], failure: `The audit failed: ${report?.message ?? (stderr || stdout)}` }
}

function resultOf(all: readonly Finding[]): AuditResult {
  // Packages that only depend on vulnerable ones are not listed.
  const findings = all
    .map(({ via, ...finding }) => ({ ...finding, advisories: via.filter((one) => typeof one !== 'string') }))
    .filter(({ advisories }) => advisories.length > 0)
  const lines = findings.map(
    ({ name, severity, advisories }) =>
      `${severity}: ${name}: ${advisories.map(({ title, url }) => `${title} (${url})`).join('; ')}`,
  )
  const high = findings.filter(({ severity }) => ['high', 'critical'].includes(severity)).length
  return {
    code: high > 0 ? 1 : 0,
    lines: [...lines, `Packages: ${findings.length} vulnerable, ${high} of them high or critical.`],
  }
}

function parsed(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
