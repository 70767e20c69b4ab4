// The interface to a payment processor, which knows each company as a customer; and a processor that only numbers them.

/** The request. Under one key it is always the same. */
export interface WantedCustomer {
  readonly companyId: string
  readonly organizationId: string
  readonly name: string
  readonly email?: string | undefined
}

export interface Processor {
  readonly name: string
  /**
   * Creates the customer and returns its id; for a key that was used before, the id of the customer created then.
   * Throws `ProcessorError`.
   */
  create(wanted: WantedCustomer, key: string, signal: AbortSignal): Promise<string>
  /**
   * The id of the company's customer, if one was created since a time; with an e-mail address, one created with that.
   * Throws `ProcessorError`.
   */
  find(
    wanted: { readonly companyId: string; readonly email?: string | undefined },
    since: Date,
    signal: AbortSignal,
  ): Promise<string | undefined>
}

/** Why there is no customer yet, in words for people: stored and shown, and free of secrets. */
export class ProcessorError extends Error {
  override name = 'ProcessorError'
  /** How long the processor asks to wait. */
  readonly retryAfterMs: number
  /** The key is used up: the next attempt needs another one. */
  readonly isSpent: boolean

  constructor(message: string, { retryAfterMs = 0, isSpent = false } = {}) {
    super(message)
    this.retryAfterMs = retryAfterMs
    this.isSpent = isSpent
  }
}

/** Calls no service: a company's customer has the company's id. */
export const localProcessor: Processor = {
  name: 'local',
  create: async ({ companyId }) => `local_${companyId}`,
  find: async () => undefined,
}
