// A bench that is stopped by hand removes what it made.

/** Calls `end` at SIGINT and SIGTERM, and then exits with 130. */
export function onceStopped(end: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      process.exitCode = 130
      process.stderr.write('\nStopping, and removing what was made.\n')
      end().finally(() => process.exit(130))
    })
}
