// Who acts and in which company: the value without which nothing of a tenant can be read or written.

/** What a key may do: one permission a verb (pos-api.md, Authentication). */
export const permissions = ['read', 'create', 'update', 'delete'] as const
export type Permission = (typeof permissions)[number]

/** A company and who acts in it. Only `authenticate` (HTTP) and the making of companies (`features/tenants/`) grant one. */
export class Scope {
  readonly companyId: string
  /** The key that acts; undefined for the command line. */
  readonly keyId: string | undefined
  /** The organization that the key opens; undefined for a company's key. */
  readonly organizationId: string | undefined
  // Never there at run time: it makes the type nominal, so that an object with the same members is no Scope.
  declare protected readonly nominal: undefined

  private constructor(companyId: string, keyId: string | undefined, organizationId: string | undefined) {
    this.companyId = companyId
    this.keyId = keyId
    this.organizationId = organizationId
  }

  /** What requests of public routes act as: no company's rows have its id. */
  static readonly nobody = new Scope('', undefined, undefined)

  /** For `authenticate`, and for the command line and whoever makes a company, by `features/tenants/`. */
  static grant(companyId: string, keyId?: string, organizationId?: string): Scope {
    return new Scope(companyId, keyId, organizationId)
  }
}
