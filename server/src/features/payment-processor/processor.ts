// What a payment processor does for us: it knows each company as a customer. And the one that only numbers them.

/** What is asked for. Under one key always the same is asked for. */
export interface WantedCustomer {
  readonly companyId: string
  readonly organizationId: string
  readonly name: string
  readonly email?: string | undefined
}

export interface Processor {
  readonly name: string
  /**
   * Makes the customer and gives its id; under a key that was used before, the id of the customer that was made then.
   * Throws `ProcessorError`.
   */
  create(wanted: WantedCustomer, key: string, signal: AbortSignal): Promise<string>
  /**
   * The id of the company's customer, if one was made since a time; with an email, one that was made with that.
   * Throws `ProcessorError`.
   */
  find(
    wanted: { readonly companyId: string; readonly email?: string | undefined },
    since: Date,
    signal: AbortSignal,
  ): Promise<string | undefined>
}

/** Why there is no customer yet, in words for people: it is stored and shown, and holds no secret. */
export class ProcessorError extends Error {
  override name = 'ProcessorError'
  /** How long the processor asks to be left alone. */
  readonly retryAfterMs: number
  /** Nothing else will come of this key: the next try needs another one. */
  readonly isSpent: boolean

  constructor(message: string, { retryAfterMs = 0, isSpent = false } = {}) {
    super(message)
    this.retryAfterMs = retryAfterMs
    this.isSpent = isSpent
  }
}

/** Asks nobody: a company's customer has the company's id. */
export const localProcessor: Processor = {
  name: 'local',
  create: async ({ companyId }) => `local_${companyId}`,
  find: async () => undefined,
}
