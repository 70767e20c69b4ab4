// Who acts and in which company: the value without which nothing of a company can be read or written.

/** What a key may do: one permission a verb (pos-api.md, Authentication). */
export const permissions = ['read', 'create', 'update', 'delete'] as const
export type Permission = (typeof permissions)[number]

/** What a person may do, least first: a viewer reads, an admin does all but change members, an owner does all. */
export const roles = ['viewer', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

/** Whether a role holds what another one does. */
export const isAtLeast = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)

/** A person who acts, and by which sign-in. Without a role where the request is about the person alone. */
export interface Person {
  readonly id: string
  readonly role: Role | undefined
  readonly signInId: string
}

/** Who had something done that is carried out later: a key, or a person. */
export interface Actor {
  readonly keyId?: string | undefined
  readonly userId?: string | undefined
}

/** A company and who acts in it. Only `authenticate` (HTTP) and the making of companies (`features/tenants/`) grant one. */
export class Scope {
  readonly companyId: string
  /** The key that acts; undefined for a person, and for the command line. */
  readonly keyId: string | undefined
  /** The organization that the key opens; undefined for a company's key. */
  readonly organizationId: string | undefined
  /** The person who acts; undefined for a key, and for the command line. */
  readonly user: Person | undefined
  /** Whether the caller may read. Only a key can have permission to write but not to read. */
  readonly mayRead: boolean
  // Never there at run time: it makes the type nominal, so that an object with the same members is no Scope.
  declare protected readonly nominal: undefined

  private constructor(companyId: string, keyId?: string, organizationId?: string, user?: Person, mayRead = true) {
    this.companyId = companyId
    this.keyId = keyId
    this.organizationId = organizationId
    this.user = user
    this.mayRead = mayRead
  }

  /** The key or the person that acts; undefined for the command line. */
  get actorId(): string | undefined {
    return this.keyId ?? this.user?.id
  }

  /** What requests of public routes act as: no company's rows have its id. */
  static readonly nobody = new Scope('')

  /** For `authenticate`, and for the command line and whoever makes a company, by `features/tenants/`. */
  static grant(companyId: string, keyId?: string, organizationId?: string, user?: Person, mayRead = true): Scope {
    return new Scope(companyId, keyId, organizationId, user, mayRead)
  }
}

/** The organization whose key, or person, makes a call. */
export const organizationOf = ({ scope }: { readonly scope: Scope }): string => scope.organizationId as string
