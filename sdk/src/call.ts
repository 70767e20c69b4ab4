// The promise of a response: `await` gives the body, `withResponse()` its headers too.

/** A response with what comes beside its body. */
export interface ApiResponse<T> {
  readonly data: T
  readonly status: number
  readonly headers: Headers
  /** The id of the request in the service's log. */
  readonly requestId: string | undefined
  /** The version of the record, for `ifMatch`. */
  readonly etag: string | undefined
  /** Whether an earlier attempt did the work, and this is its answer. */
  readonly isReplay: boolean
  /** Whether the answer of an earlier attempt was lost, which may have done the work. */
  readonly mayBeRepeated: boolean
  /** How many times the request was sent. */
  readonly attempts: number
}

/** A request under way. It is a promise of the body. */
export class Call<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Call'
  readonly #response: Promise<ApiResponse<T>>

  constructor(response: Promise<ApiResponse<T>>) {
    this.#response = response
  }

  /** The body with the response's status, headers, request id and ETag. */
  withResponse(): Promise<ApiResponse<T>> {
    return this.#response
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
  then<A = T, B = never>(
    done?: ((data: T) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#response.then(({ data }) => data).then(done, failed)
  }

  catch<B = never>(failed?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, failed)
  }

  finally(done?: (() => void) | null): Promise<T> {
    return this.then().finally(done)
  }
}
