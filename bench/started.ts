// What a started service reports to the runner: its address, and the companies that it has created.

/** A company with a key and its initial records. */
export interface Company {
  readonly companyId: string
  readonly apiKey: string
  readonly ids: string[]
}

/** The report to the runner: the service's address, and a company for each requested number of records. */
export interface Started {
  readonly url: string
  readonly companies: Company[]
  /** A company with variants at two outlets, if one was requested. */
  readonly stocked: Company | undefined
  /** A company with extended customers, if one was requested. */
  readonly extended: Company | undefined
}
