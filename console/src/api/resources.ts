// The resources as the server declares them: lists, filters and forms are generated from them.
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { names } from '../texts/resources.ts'
import { text } from '../texts/shell.ts'
import { useCompanyId } from './company.ts'
import { get } from './request.ts'
import type { MemberDeclaration, ResourceDeclaration } from './schemas.ts'

/** A JSON Schema, as the server declares members. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly const?: unknown
  readonly examples?: readonly string[]
  readonly description?: string
  readonly title?: string
  readonly maxLength?: number
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  /** The plural path name of the resource that the values are ids of. */
  readonly 'x-refers-to'?: string
  /** Older names of values, and the values that they stand for. */
  readonly 'x-older-names'?: Readonly<Record<string, string>>
}

/** Whether the values are exact decimals as strings, by the pattern in the API document. */
export const isDecimal = ({ pattern }: Schema): boolean => pattern === '^-?\\d{1,15}(\\.\\d{1,6})?$'

/** A member of a resource's records; its schema can be drawn as an input. */
export type Member = Omit<MemberDeclaration, 'schema'> & { readonly schema: Schema }

export type Resource = Omit<ResourceDeclaration, 'members'> & { readonly members: readonly Member[] }

export const resourcesQuery = (companyId: string) =>
  queryOptions({
    queryKey: [companyId, 'resources'],
    staleTime: 60_000,
    queryFn: async () =>
      (await get<{ data: Resource[] }>({ companyId }, '/v1/console/resources')).data.map((resource) => ({
        ...resource,
        ...names[resource.many],
      })),
  })

/** All resources of the open company. */
export const useResources = (): readonly Resource[] => useSuspenseQuery(resourcesQuery(useCompanyId())).data

/** One of them, by its plural path name. */
export function useResource(many: string): Resource {
  const found = useResources().find((resource) => resource.many === many)
  if (found === undefined) throw new Error(text.noResource(many))
  return found
}

/** The path of a resource's pages: its plural name, unless it has pages of its own elsewhere. */
export const pathOf = (many: string): string => (many === 'automation-triggers' ? 'automation' : many)

/** The member with the time that records are listed by: when it happened, for what a till may send later. */
export const momentOf = ({ list }: Pick<Resource, 'list'>): string =>
  list.sort.includes('occurredAt') ? 'occurredAt' : 'createdAt'

/** The resource that a member refers to by id: `outletId` → `outlets`. Undefined if it is not one of ours. */
export const referenceOf = (member: string): string | undefined => references.get(member)

const references = new Map(
  Object.entries({
    outletId: 'outlets',
    outlets: 'outlets',
    outletIds: 'outlets',
    stationId: 'stations',
    stations: 'stations',
    productId: 'products',
    variantId: 'variants',
    categories: 'categories',
    parentId: 'categories',
    taxTable: 'tax-tables',
    taxTableId: 'tax-tables',
    customerId: 'customers',
    orderId: 'orders',
    refundId: 'refunds',
    sessionId: 'sessions',
    transactionId: 'transactions',
    accountId: 'accounts',
    employee: 'accounts',
    openedBy: 'accounts',
    closedBy: 'accounts',
    refundedBy: 'accounts',
  }),
)
