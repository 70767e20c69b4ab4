// A route as the server has registered it, with what all routes share, and what a request carries from step to step.
import type { Logger } from 'pino'
import type { FairSemaphore } from '../concurrency/fair-semaphore.ts'
import type { Seal } from '../core/idempotency-claim.ts'
import type { JsonSchemas } from '../core/json-schema.ts'
import type { Caller, FindKey } from './auth/api-key.ts'
import type { RateLimiter } from './auth/rate-limit.ts'
import type { FindSignIn } from './auth/sign-in.ts'
import type { Bodies, Held } from './connection/body-memory.ts'
import type { FairStart } from './connection/fair-start.ts'
import type { Answers } from './connection/response-memory.ts'
import type { AllowOrigin } from './cors.ts'
import type { OnlyOnce } from './idempotency.ts'
import type { durationsOf } from './metrics.ts'
import type { KeyRequest } from './request-note.ts'
import type { Call, Route, SemaphoreName } from './route.ts'

/** What all routes share. */
export interface Shared {
  readonly findKey: FindKey
  readonly findSignIn: FindSignIn
  /** Called for each request that a key authorized. */
  readonly keyUsed: (keyId: string) => void
  /** Called with each request of a company's key that has ended. */
  readonly keyRequested: ((request: KeyRequest) => void) | undefined
  /**
   * Called after each successful request other than a GET, even if the client is gone: the company may have written.
   */
  readonly wrote: (companyId: string) => void
  readonly seal: Seal
  readonly log: Logger
  readonly once: OnlyOnce
  readonly limiter: RateLimiter | undefined
  /** Starts a request of a tenant in a turn of the event loop that has a place for it. */
  readonly begin: FairStart
  readonly semaphores: Readonly<Record<SemaphoreName, FairSemaphore | undefined>>
  readonly held: Bodies
  readonly untaken: Answers
  readonly deadlineMs: number
  /** Origins whose pages may call private endpoints. */
  readonly corsOrigins: ReadonlySet<string>
}

/** A route with what is shared, and what is derived once from its declaration. */
export interface RegisteredRoute {
  readonly route: Route
  readonly shared: Shared
  /** The resource that a key which is limited to resources needs. */
  readonly resource: string
  /** The semaphore before the handler; undefined where the route waits elsewhere. */
  readonly semaphore: FairSemaphore | undefined
  readonly deadlineMs: number
  readonly readQuery: (search: string) => Call['query']
  readonly isKeyed: boolean
  readonly allowOrigin: AllowOrigin
  /** Where its durations are counted. */
  readonly durations: ReturnType<typeof durationsOf>
  readonly status: number
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    /** Milliseconds of the deadline that were spent on finding the key. */
    spentMs: number
    held: Held | null
  }
  interface FastifyContextConfig {
    takesFile?: boolean
    takesBearer?: boolean
    parameters?: JsonSchemas | undefined
  }
}
