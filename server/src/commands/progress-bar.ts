// The progress bar of commands that take long.

/** Does `work` with a progress bar on a terminal, and elsewhere without one. The bar ends before it returns, so that results follow it. */
export async function withProgress<T>(
  work: (progress: (done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  if (!process.stderr.isTTY) return work(() => {})
  const { default: progress } = await import('cli-progress')
  // Leaves the terminal's settings unchanged, so that Ctrl-C needs no cleanup.
  const settings = { format: '{bar} {percentage} %', linewrap: true }
  const bar = new progress.SingleBar(settings, progress.Presets.shades_classic)
  try {
    return await work((done, total) => {
      if (!bar.isActive) bar.start(total, 0)
      bar.setTotal(total)
      bar.update(done)
    })
  } finally {
    bar.stop()
  }
}
