// What a started service tells the runner: where it listens, and the companies that it has made.

/** A company with a key and the records that it begins with. */
export interface Company {
  readonly companyId: string
  readonly apiKey: string
  readonly ids: string[]
}

/** What the runner is told: where the service listens, and a company for each number of records asked for. */
export interface Started {
  readonly url: string
  readonly companies: Company[]
  /** A company with variants at two outlets, where one was asked for. */
  readonly stocked: Company | undefined
  /** A company with extended customers, where one was asked for. */
  readonly extended: Company | undefined
}
