// The company and the caller that act: the value without which nothing of a company can be read or written.
import type { TraceContext } from './trace-context.ts'

/** What a key may do: one permission per verb (pos-api.md, Authentication). */
export const permissions = ['read', 'create', 'update', 'delete'] as const
export type Permission = (typeof permissions)[number]

/**
 * What a user may do, least first: a viewer reads, an admin does everything except changing members, an owner does
 * everything.
 */
export const roles = ['viewer', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

/** Whether a role includes another one. */
export const isAtLeast = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)

/** A user who acts, and the sign-in. Has no role if the request concerns only the user. */
export interface Person {
  readonly id: string
  readonly role: Role | undefined
  readonly signInId: string
}

/** The key or user on whose behalf work is carried out later. */
export interface Actor {
  readonly keyId?: string | undefined
  readonly userId?: string | undefined
}

/** Who acts in a scope; nobody of these for the command line. */
interface ScopeCaller {
  readonly keyId?: string | undefined
  readonly organizationId?: string | undefined
  readonly user?: Person | undefined
  readonly permissions?: readonly Permission[]
  readonly resources?: ReadonlySet<string> | undefined
}

/**
 * A company and its caller. Granted when a key or a sign-in was checked (`http/auth/`), when a company is created, and for
 * work that the service or the command line does for a company (`features/tenants/`).
 */
export class Scope {
  readonly companyId: string
  /** The key that acts; undefined for a user, and for the command line. */
  readonly keyId: string | undefined
  /** The organization that the key opens; undefined for a company's key. */
  readonly organizationId: string | undefined
  /** The user who acts; undefined for a key, and for the command line. */
  readonly user: Person | undefined
  /** What the caller may do. A user has all permissions that the role's verbs need; only a key can have fewer. */
  readonly permissions: readonly Permission[]
  /** The resources that the key is limited to; undefined for a key without a limit, a user, and the command line. */
  readonly resources: ReadonlySet<string> | undefined
  /** The trace that the call belongs to. */
  readonly trace: TraceContext | undefined
  // Never present at run time: it makes the type nominal, so that an object with the same members is not a Scope.
  declare protected readonly nominal: undefined

  private constructor(
    companyId: string,
    { keyId, organizationId, user, permissions: allowed = permissions, resources }: ScopeCaller = {},
    trace?: TraceContext,
  ) {
    this.companyId = companyId
    this.keyId = keyId
    this.organizationId = organizationId
    this.user = user
    this.permissions = allowed
    this.resources = resources
    this.trace = trace
  }

  /** The same for one call of a trace. */
  inTrace(trace: TraceContext): Scope {
    return new Scope(this.companyId, this, trace)
  }

  /** Whether the caller may also do this, besides what the verb of its request needs. */
  may(permission: Permission): boolean {
    return this.permissions.includes(permission)
  }

  /** Whether the caller may also use this resource, besides the one of its request. */
  mayUse(resource: string): boolean {
    return this.resources === undefined || this.resources.has(resource)
  }

  /** The key or the user that acts; undefined for the command line. */
  get actorId(): string | undefined {
    return this.keyId ?? this.user?.id
  }

  /** Who acts, as events show it: JSON. Ids need no escapes. */
  get actorText(): string {
    if (this.keyId !== undefined) return `{"type":"key","id":"${this.keyId}"}`
    if (this.user !== undefined) return `{"type":"user","id":"${this.user.id}"}`
    return '{"type":"operator"}'
  }

  /** The scope of requests to public routes: no company's rows have its id. */
  static readonly nobody = new Scope('')

  /** For `authenticate`, for the command line, and for the creation of companies in `features/tenants/`. */
  static grant(companyId: string, caller?: ScopeCaller): Scope {
    return new Scope(companyId, caller)
  }
}

/** The organization whose key or user makes a call. */
export const organizationOf = ({ scope }: { readonly scope: Scope }): string => scope.organizationId as string
