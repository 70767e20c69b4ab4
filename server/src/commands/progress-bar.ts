// The progress bar of commands that take long.

/** A progress bar on a terminal; elsewhere nothing. */
export async function progressBar(): Promise<{ update: (done: number, total: number) => void; stop: () => void }> {
  if (!process.stderr.isTTY) return { update: () => {}, stop: () => {} }
  const { default: progress } = await import('cli-progress')
  // Leaves the terminal's settings unchanged, so that Ctrl-C needs no cleanup.
  const settings = { format: '{bar} {percentage} %', linewrap: true }
  const bar = new progress.SingleBar(settings, progress.Presets.shades_classic)
  return {
    update(done, total) {
      if (!bar.isActive) bar.start(total, 0)
      bar.setTotal(total)
      bar.update(done)
    },
    stop: () => bar.stop(),
  }
}
