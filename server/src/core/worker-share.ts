// This process's share of the limits of its server, which several worker processes divide.

/** Which worker this process is, and of how many; undefined and 1 in a server of one process. */
export const workerShare = shareOf(process.argv[2])

/** Reads the argument with which the primary starts a worker. */
function shareOf(argument = ''): { readonly number: number | undefined; readonly of: number } {
  const [, number, of] = /^worker (\d+) of (\d+)$/.exec(argument) ?? []
  return { number: number === undefined ? undefined : Number(number), of: Number(of ?? 1) }
}

/** This process's part of a server's limit, and no less than `least`, below which it would not work well. */
export const divided = (total: number, least: number): number =>
  Math.min(total, Math.max(least, Math.ceil(total / workerShare.of)))
