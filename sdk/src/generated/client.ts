// Written by `npm run sdk` from openapi.sdk.json.
// A class for each resource, with a method for each operation.
import { type BulkResult, bulk } from '../bulk.ts'
import type { Call } from '../call.ts'
import { edit } from '../edit.ts'
import { Follow } from '../follow.ts'
import { type List, listOf } from '../list.ts'
import {
    type ClientOptions,
    Core,
    type RequestOptions,
    segment,
    type TimeBounds,
    type VersionOptions,
    type WriteOptions,
} from '../request.ts'
import type * as T from './types.ts'

class Resource {
  protected readonly core: Core
  constructor(core: Core) {
    this.core = core
  }
}

/** What `service.search` takes. */
export interface ServiceSearchOptions extends RequestOptions {
  /** The text to search for. */
  q: string
  /** Maximum number of results; 0 means the default. */
  limit?: number | undefined
}

/** Whether the service is up, and what a key gives access to. */
export class ServiceApi extends Resource {
  /**
   * Check whether the service is up.
   *
   * Needs no key.
   */
  health(options?: RequestOptions): Call<T.Health> {
    return this.core.call({ method: 'GET', path: '/v1/public/health' }, options)
  }

  /**
   * Check whether the service should get requests.
   *
   * For load balancers and orchestrators. 503 names its `reason`: `database_unreachable` or `database_timeout`; `not_migrated`, while the database lacks tables of this version; `draining`, once the service has been asked to stop.
   *
   * Needs no key.
   */
  ready(options?: RequestOptions): Call<T.Readiness> {
    return this.core.call({ method: 'GET', path: '/v1/public/ready' }, options)
  }

  /**
   * See which company a key belongs to.
   *
   * The key needs the permission `read`.
   */
  whoami(options?: RequestOptions): Call<T.Identity> {
    return this.core.call({ method: 'GET', path: '/v1/whoami', key: 'company' }, options)
  }

  /**
   * Search all resources.
   *
   * Finds records by words of their names in any order, phone number (by its digits, with or without the country’s code), e-mail address, receipt number, SKU, barcode, external id or id. Exact matches come first, then members that begin with the text, then those that contain all of its words. Words of one or two characters are found only where a member or another word begins with them. If a whole e-mail address, number, code or id finds its record, other texts are not searched for it. Soft-deleted records are left out.
   *
   * The key needs the permission `read` for all resources.
   */
  search(options: ServiceSearchOptions): Call<T.SearchResults> {
    return this.core.call({ method: 'GET', path: '/v1/search', key: 'company' }, options)
  }

  /**
   * Read this document.
   *
   * The API as OpenAPI 3.1. With a company’s key, the document includes the columns that the company’s custom tables add to customers.
   *
   * Needs no key, but accepts a company’s key.
   */
  openapi(options?: RequestOptions): Call<T.OpenApiDocument> {
    return this.core.call({ method: 'GET', path: '/v1/openapi.json', key: 'company' }, options)
  }
}

/** What `outlets.create` takes. */
export interface OutletsCreateOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `outlets.update` takes. */
export interface OutletsUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `outlets.delete` takes. */
export interface OutletsDeleteOptions extends RequestOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `outlets.list` takes. */
export interface OutletsListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | 'name' | 'sequenceNumber' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Words that `name` contains, in any order, ignoring case. At most 8 different words. */
  search?: string | undefined
  /** Part of `name`, ignoring case. */
  searchByName?: string | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
  /** Exactly this `taxId`. */
  taxId?: string | undefined
  /** Exactly this `processorAccountId`. */
  processorAccountId?: string | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
}

/** What `outlets.createMany` takes. */
export interface OutletsCreateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `outlets.updateMany` takes. */
export interface OutletsUpdateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `outlets.deleteMany` takes. */
export interface OutletsDeleteManyOptions extends RequestOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** A place where the company sells or keeps stock. */
export class OutletsApi extends Resource {
  /**
   * Create an outlet.
   *
   * The key needs the permission `create` for `outlet`.
   */
  create(body: T.OutletCreate, options?: OutletsCreateOptions): Call<T.Outlet> {
    return this.core.call({ method: 'POST', path: '/v1/outlet', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Read an outlet.
   *
   * The key needs the permission `read` for `outlet`.
   */
  get(id: string, options?: RequestOptions): Call<T.Outlet> {
    return this.core.call({ method: 'GET', path: `/v1/outlet/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Update an outlet.
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member.
   *
   * The key needs the permission `update` for `outlet`.
   */
  update(id: string, body: T.OutletUpdate, options?: OutletsUpdateOptions): Call<T.Outlet> {
    return this.core.call({ method: 'PATCH', path: `/v1/outlet/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Delete an outlet.
   *
   * The key needs the permission `delete` for `outlet`.
   */
  delete(id: string, options?: OutletsDeleteOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/outlet/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * List outlets.
   *
   * The key needs the permission `read` for `outlet`.
   */
  list(options?: OutletsListOptions): List<T.Outlet> {
    return listOf(this.core, { method: 'GET', path: '/v1/outlets', key: 'company' }, 'cursor', options)
  }

  /**
   * Create many outlets.
   *
   * The key needs the permission `create` for `outlet`.
   */
  createMany(items: readonly T.OutletCreateItem[], options?: OutletsCreateManyOptions): Promise<BulkResult<T.OutletBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'POST', path: '/v1/outlets', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Update many outlets.
   *
   * The key needs the permission `update` for `outlet`.
   */
  updateMany(items: readonly T.OutletUpdateItem[], options?: OutletsUpdateManyOptions): Promise<BulkResult<T.OutletBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'PATCH', path: '/v1/outlets', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Delete many outlets.
   *
   * The key needs the permission `delete` for `outlet`.
   */
  deleteMany(items: readonly T.DeleteItem[], options?: OutletsDeleteManyOptions): Promise<BulkResult<T.DeleteBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'DELETE', path: '/v1/outlets', key: 'company' }, items, options)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.Outlet) => T.OutletUpdate | undefined | Promise<T.OutletUpdate | undefined>, options?: RequestOptions): Promise<T.Outlet> {
    return edit(
      (own) => this.get(id, own),
      (body: T.OutletUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `stations.create` takes. */
export interface StationsCreateOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `stations.update` takes. */
export interface StationsUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `stations.delete` takes. */
export interface StationsDeleteOptions extends RequestOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `stations.list` takes. */
export interface StationsListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | 'name' | 'sequenceNumber' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Words that `name` contains, in any order, ignoring case. At most 8 different words. */
  search?: string | undefined
  /** Part of `name`, ignoring case. */
  searchByName?: string | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
  /** Exactly this `status`. */
  status?: string | undefined
  /** Exactly this `outletId`. */
  outletId?: string | undefined
  /** Exactly this `deviceId`. */
  deviceId?: string | undefined
  /** Exactly this `processorTerminalId`. */
  processorTerminalId?: string | undefined
  /** Exactly this `serialReaderId`. */
  serialReaderId?: string | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
}

/** What `stations.createMany` takes. */
export interface StationsCreateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `stations.updateMany` takes. */
export interface StationsUpdateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `stations.deleteMany` takes. */
export interface StationsDeleteManyOptions extends RequestOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** A till or kiosk at an outlet. Sessions are opened and closed at it. */
export class StationsApi extends Resource {
  /**
   * Create a station.
   *
   * The key needs the permission `create` for `station`.
   */
  create(body: T.StationCreate, options?: StationsCreateOptions): Call<T.Station> {
    return this.core.call({ method: 'POST', path: '/v1/station', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Read a station.
   *
   * The key needs the permission `read` for `station`.
   */
  get(id: string, options?: RequestOptions): Call<T.Station> {
    return this.core.call({ method: 'GET', path: `/v1/station/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Update a station.
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member.
   *
   * The key needs the permission `update` for `station`.
   */
  update(id: string, body: T.StationUpdate, options?: StationsUpdateOptions): Call<T.Station> {
    return this.core.call({ method: 'PATCH', path: `/v1/station/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Delete a station.
   *
   * The key needs the permission `delete` for `station`.
   */
  delete(id: string, options?: StationsDeleteOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/station/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * List stations.
   *
   * The key needs the permission `read` for `station`.
   */
  list(options?: StationsListOptions): List<T.Station> {
    return listOf(this.core, { method: 'GET', path: '/v1/stations', key: 'company' }, 'cursor', options)
  }

  /**
   * Create many stations.
   *
   * The key needs the permission `create` for `station`.
   */
  createMany(items: readonly T.StationCreateItem[], options?: StationsCreateManyOptions): Promise<BulkResult<T.StationBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'POST', path: '/v1/stations', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Update many stations.
   *
   * The key needs the permission `update` for `station`.
   */
  updateMany(items: readonly T.StationUpdateItem[], options?: StationsUpdateManyOptions): Promise<BulkResult<T.StationBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'PATCH', path: '/v1/stations', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Delete many stations.
   *
   * The key needs the permission `delete` for `station`.
   */
  deleteMany(items: readonly T.DeleteItem[], options?: StationsDeleteManyOptions): Promise<BulkResult<T.DeleteBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'DELETE', path: '/v1/stations', key: 'company' }, items, options)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.Station) => T.StationUpdate | undefined | Promise<T.StationUpdate | undefined>, options?: RequestOptions): Promise<T.Station> {
    return edit(
      (own) => this.get(id, own),
      (body: T.StationUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `accounts.create` takes. */
export interface AccountsCreateOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `accounts.update` takes. */
export interface AccountsUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `accounts.delete` takes. */
export interface AccountsDeleteOptions extends RequestOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `accounts.list` takes. */
export interface AccountsListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | 'email' | 'name' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Words, each contained in one of `email`, `name`, `phone`, in any order, ignoring case. At most 8 different words. */
  search?: string | undefined
  /** Part of `email`, ignoring case. */
  searchByEmail?: string | undefined
  /** Part of `name`, ignoring case. */
  searchByName?: string | undefined
  /** Part of `phone`, ignoring case. */
  searchByPhone?: string | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
}

/** What `accounts.createMany` takes. */
export interface AccountsCreateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `accounts.updateMany` takes. */
export interface AccountsUpdateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `accounts.deleteMany` takes. */
export interface AccountsDeleteManyOptions extends RequestOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** A person who works for the company. It is a record, not a sign-in. */
export class AccountsApi extends Resource {
  /**
   * Create an account.
   *
   * The key needs the permission `create` for `account`.
   */
  create(body: T.AccountCreate, options?: AccountsCreateOptions): Call<T.Account> {
    return this.core.call({ method: 'POST', path: '/v1/account', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Read an account.
   *
   * The key needs the permission `read` for `account`.
   */
  get(id: string, options?: RequestOptions): Call<T.Account> {
    return this.core.call({ method: 'GET', path: `/v1/account/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Update an account.
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member.
   *
   * The key needs the permission `update` for `account`.
   */
  update(id: string, body: T.AccountUpdate, options?: AccountsUpdateOptions): Call<T.Account> {
    return this.core.call({ method: 'PATCH', path: `/v1/account/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Delete an account.
   *
   * The key needs the permission `delete` for `account`.
   */
  delete(id: string, options?: AccountsDeleteOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/account/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * List accounts.
   *
   * The key needs the permission `read` for `account`.
   */
  list(options?: AccountsListOptions): List<T.Account> {
    return listOf(this.core, { method: 'GET', path: '/v1/accounts', key: 'company' }, 'cursor', options)
  }

  /**
   * Create many accounts.
   *
   * The key needs the permission `create` for `account`.
   */
  createMany(items: readonly T.AccountCreateItem[], options?: AccountsCreateManyOptions): Promise<BulkResult<T.AccountBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'POST', path: '/v1/accounts', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Update many accounts.
   *
   * The key needs the permission `update` for `account`.
   */
  updateMany(items: readonly T.AccountUpdateItem[], options?: AccountsUpdateManyOptions): Promise<BulkResult<T.AccountBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'PATCH', path: '/v1/accounts', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Delete many accounts.
   *
   * The key needs the permission `delete` for `account`.
   */
  deleteMany(items: readonly T.DeleteItem[], options?: AccountsDeleteManyOptions): Promise<BulkResult<T.DeleteBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'DELETE', path: '/v1/accounts', key: 'company' }, items, options)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.Account) => T.AccountUpdate | undefined | Promise<T.AccountUpdate | undefined>, options?: RequestOptions): Promise<T.Account> {
    return edit(
      (own) => this.get(id, own),
      (body: T.AccountUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `roles.create` takes. */
export interface RolesCreateOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `roles.update` takes. */
export interface RolesUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `roles.delete` takes. */
export interface RolesDeleteOptions extends RequestOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `roles.list` takes. */
export interface RolesListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | 'name' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Words that `name` contains, in any order, ignoring case. At most 8 different words. */
  search?: string | undefined
  /** Part of `name`, ignoring case. */
  searchByName?: string | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
}

/** What `roles.createMany` takes. */
export interface RolesCreateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `roles.updateMany` takes. */
export interface RolesUpdateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `roles.deleteMany` takes. */
export interface RolesDeleteManyOptions extends RequestOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** A set of permissions that tills grant to employees. */
export class RolesApi extends Resource {
  /**
   * Create a role.
   *
   * The key needs the permission `create` for `role`.
   */
  create(body: T.RoleCreate, options?: RolesCreateOptions): Call<T.Role> {
    return this.core.call({ method: 'POST', path: '/v1/role', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Read a role.
   *
   * The key needs the permission `read` for `role`.
   */
  get(id: string, options?: RequestOptions): Call<T.Role> {
    return this.core.call({ method: 'GET', path: `/v1/role/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Update a role.
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member.
   *
   * The key needs the permission `update` for `role`.
   */
  update(id: string, body: T.RoleUpdate, options?: RolesUpdateOptions): Call<T.Role> {
    return this.core.call({ method: 'PATCH', path: `/v1/role/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Delete a role.
   *
   * The key needs the permission `delete` for `role`.
   */
  delete(id: string, options?: RolesDeleteOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/role/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * List roles.
   *
   * The key needs the permission `read` for `role`.
   */
  list(options?: RolesListOptions): List<T.Role> {
    return listOf(this.core, { method: 'GET', path: '/v1/roles', key: 'company' }, 'cursor', options)
  }

  /**
   * Create many roles.
   *
   * The key needs the permission `create` for `role`.
   */
  createMany(items: readonly T.RoleCreateItem[], options?: RolesCreateManyOptions): Promise<BulkResult<T.RoleBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'POST', path: '/v1/roles', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Update many roles.
   *
   * The key needs the permission `update` for `role`.
   */
  updateMany(items: readonly T.RoleUpdateItem[], options?: RolesUpdateManyOptions): Promise<BulkResult<T.RoleBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'PATCH', path: '/v1/roles', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Delete many roles.
   *
   * The key needs the permission `delete` for `role`.
   */
  deleteMany(items: readonly T.DeleteItem[], options?: RolesDeleteManyOptions): Promise<BulkResult<T.DeleteBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'DELETE', path: '/v1/roles', key: 'company' }, items, options)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.Role) => T.RoleUpdate | undefined | Promise<T.RoleUpdate | undefined>, options?: RequestOptions): Promise<T.Role> {
    return edit(
      (own) => this.get(id, own),
      (body: T.RoleUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `categories.create` takes. */
export interface CategoriesCreateOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `categories.update` takes. */
export interface CategoriesUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `categories.delete` takes. */
export interface CategoriesDeleteOptions extends RequestOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `categories.upsert` takes. */
export interface CategoriesUpsertOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `categories.list` takes. */
export interface CategoriesListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | 'name' | 'menuOrder' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Words that `name` contains, in any order, ignoring case. At most 8 different words. */
  search?: string | undefined
  /** Part of `name`, ignoring case. */
  searchByName?: string | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
  /** Matches `externalId` exactly. Repeat the parameter for up to 100 values. */
  externalId?: string | readonly string[] | undefined
  /** Exactly this `source`. */
  source?: string | undefined
  /** Exactly this `parentId`. */
  parentId?: string | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
}

/** What `categories.createMany` takes. */
export interface CategoriesCreateManyOptions extends WriteOptions {
  /** With `upsert`, an item updates the record that has its `externalId` and, where the resource has one, its `source`, and then needs only the members that change; without such a record it creates one. Items may then have `ifMatch`, and the key also needs the permission `update`. */
  mode?: 'create' | 'upsert' | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `categories.updateMany` takes. */
export interface CategoriesUpdateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `categories.deleteMany` takes. */
export interface CategoriesDeleteManyOptions extends RequestOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** A category of products. `parentId` arranges categories as a tree. */
export class CategoriesApi extends Resource {
  /**
   * Create a category.
   *
   * The key needs the permission `create` for `category`.
   */
  create(body: T.CategoryCreate, options?: CategoriesCreateOptions): Call<T.Category> {
    return this.core.call({ method: 'POST', path: '/v1/category', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Read a category.
   *
   * The key needs the permission `read` for `category`.
   */
  get(id: string, options?: RequestOptions): Call<T.Category> {
    return this.core.call({ method: 'GET', path: `/v1/category/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Update a category.
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member.
   *
   * The key needs the permission `update` for `category`.
   */
  update(id: string, body: T.CategoryUpdate, options?: CategoriesUpdateOptions): Call<T.Category> {
    return this.core.call({ method: 'PATCH', path: `/v1/category/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Delete a category.
   *
   * The key needs the permission `delete` for `category`.
   */
  delete(id: string, options?: CategoriesDeleteOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/category/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Create or update a category by its id in another system.
   *
   * Updates the record that has this `source` and `externalId`, or creates one: members that you send replace the stored ones, others keep their values, and a new record needs those that a create needs. Requests for the same id take turns, so there is never a second record. If several records have it already, the response is 409 and names them. Deleted records do not count.
   *
   * The key needs the permissions `create` and `update` for `category`.
   */
  upsert(source: string, externalId: string, body: T.CategoryUpdate, options?: CategoriesUpsertOptions): Call<T.Category> {
    return this.core.call({ method: 'PUT', path: `/v1/category/external/${segment(source)}/${segment(externalId)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * List categories.
   *
   * The key needs the permission `read` for `category`.
   */
  list(options?: CategoriesListOptions): List<T.Category> {
    return listOf(this.core, { method: 'GET', path: '/v1/categories', key: 'company' }, 'cursor', options)
  }

  /**
   * Create many categories.
   *
   * The key needs the permission `create` for `category`.
   */
  createMany(items: readonly (T.CategoryCreateItem | T.CategoryUpsertItem)[], options?: CategoriesCreateManyOptions): Promise<BulkResult<T.CategoryCreateBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'POST', path: '/v1/categories', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Update many categories.
   *
   * The key needs the permission `update` for `category`.
   */
  updateMany(items: readonly T.CategoryUpdateItem[], options?: CategoriesUpdateManyOptions): Promise<BulkResult<T.CategoryBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'PATCH', path: '/v1/categories', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Delete many categories.
   *
   * The key needs the permission `delete` for `category`.
   */
  deleteMany(items: readonly T.DeleteItem[], options?: CategoriesDeleteManyOptions): Promise<BulkResult<T.DeleteBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'DELETE', path: '/v1/categories', key: 'company' }, items, options)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.Category) => T.CategoryUpdate | undefined | Promise<T.CategoryUpdate | undefined>, options?: RequestOptions): Promise<T.Category> {
    return edit(
      (own) => this.get(id, own),
      (body: T.CategoryUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `products.create` takes. */
export interface ProductsCreateOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `products.update` takes. */
export interface ProductsUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `products.delete` takes. */
export interface ProductsDeleteOptions extends RequestOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `products.upsert` takes. */
export interface ProductsUpsertOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `products.list` takes. */
export interface ProductsListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | 'name' | 'sku' | 'minPrice' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Words, each contained in one of `name`, `sku`, `description`, in any order, ignoring case. At most 8 different words. */
  search?: string | undefined
  /** Part of `name`, ignoring case. */
  searchByName?: string | undefined
  /** Part of `sku`, ignoring case. */
  searchBySku?: string | undefined
  /** Part of `description`, ignoring case. */
  searchByDescription?: string | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
  /** Matches `externalId` exactly. Repeat the parameter for up to 100 values. */
  externalId?: string | readonly string[] | undefined
  /** Exactly this `status`, or any of several, separated by commas. */
  status?: string | readonly string[] | undefined
  /** Exactly this `source`. */
  source?: string | undefined
  /** Matches `sku` exactly. Repeat the parameter for up to 100 values. */
  sku?: string | readonly string[] | undefined
  /** Exactly this `taxTable`. */
  taxTable?: string | undefined
  /** Any of these `tags`, separated by commas. */
  tags?: string | readonly string[] | undefined
  /** Any of these `categories`, separated by commas. */
  categories?: string | readonly string[] | undefined
  /** Any of these `outlets`, separated by commas. */
  outlets?: string | readonly string[] | undefined
  /** Id of an outlet. Lists only products that the outlet carries and catalog visibility does not hide there. */
  visibleAt?: string | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
}

/** What `products.createMany` takes. */
export interface ProductsCreateManyOptions extends WriteOptions {
  /** With `upsert`, an item updates the record that has its `externalId` and, where the resource has one, its `source`, and then needs only the members that change; without such a record it creates one. Items may then have `ifMatch`, and the key also needs the permission `update`. */
  mode?: 'create' | 'upsert' | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `products.updateMany` takes. */
export interface ProductsUpdateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `products.deleteMany` takes. */
export interface ProductsDeleteManyOptions extends RequestOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** Something that the company sells. Price, barcode and stock belong to its variants. If any variant has a price, `minPrice` and `maxPrice` are the lowest and highest current price of its variants, and values sent for them are ignored. */
export class ProductsApi extends Resource {
  /**
   * Create a product.
   *
   * The key needs the permission `create` for `product`.
   */
  create(body: T.ProductCreate, options?: ProductsCreateOptions): Call<T.Product> {
    return this.core.call({ method: 'POST', path: '/v1/product', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Read a product.
   *
   * The key needs the permission `read` for `product`.
   */
  get(id: string, options?: RequestOptions): Call<T.Product> {
    return this.core.call({ method: 'GET', path: `/v1/product/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Update a product.
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member.
   *
   * The key needs the permission `update` for `product`.
   */
  update(id: string, body: T.ProductUpdate, options?: ProductsUpdateOptions): Call<T.Product> {
    return this.core.call({ method: 'PATCH', path: `/v1/product/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Delete a product.
   *
   * The key needs the permission `delete` for `product`.
   */
  delete(id: string, options?: ProductsDeleteOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/product/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Create or update a product by its id in another system.
   *
   * Updates the record that has this `source` and `externalId`, or creates one: members that you send replace the stored ones, others keep their values, and a new record needs those that a create needs. Requests for the same id take turns, so there is never a second record. If several records have it already, the response is 409 and names them. Deleted records do not count.
   *
   * The key needs the permissions `create` and `update` for `product`.
   */
  upsert(source: string, externalId: string, body: T.ProductUpdate, options?: ProductsUpsertOptions): Call<T.Product> {
    return this.core.call({ method: 'PUT', path: `/v1/product/external/${segment(source)}/${segment(externalId)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * List products.
   *
   * The key needs the permission `read` for `product`.
   */
  list(options?: ProductsListOptions): List<T.Product> {
    return listOf(this.core, { method: 'GET', path: '/v1/products', key: 'company' }, 'cursor', options)
  }

  /**
   * Create many products.
   *
   * The key needs the permission `create` for `product`.
   */
  createMany(items: readonly (T.ProductCreateItem | T.ProductUpsertItem)[], options?: ProductsCreateManyOptions): Promise<BulkResult<T.ProductCreateBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'POST', path: '/v1/products', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Update many products.
   *
   * The key needs the permission `update` for `product`.
   */
  updateMany(items: readonly T.ProductUpdateItem[], options?: ProductsUpdateManyOptions): Promise<BulkResult<T.ProductBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'PATCH', path: '/v1/products', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Delete many products.
   *
   * The key needs the permission `delete` for `product`.
   */
  deleteMany(items: readonly T.DeleteItem[], options?: ProductsDeleteManyOptions): Promise<BulkResult<T.DeleteBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'DELETE', path: '/v1/products', key: 'company' }, items, options)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.Product) => T.ProductUpdate | undefined | Promise<T.ProductUpdate | undefined>, options?: RequestOptions): Promise<T.Product> {
    return edit(
      (own) => this.get(id, own),
      (body: T.ProductUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `variants.create` takes. */
export interface VariantsCreateOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `variants.update` takes. */
export interface VariantsUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `variants.delete` takes. */
export interface VariantsDeleteOptions extends RequestOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `variants.upsert` takes. */
export interface VariantsUpsertOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `variants.list` takes. */
export interface VariantsListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | 'sku' | 'barcode' | 'price' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Words, each contained in one of `sku`, `barcode`, in any order, ignoring case. At most 8 different words. */
  search?: string | undefined
  /** Part of `sku`, ignoring case. */
  searchBySku?: string | undefined
  /** Part of `barcode`, ignoring case. */
  searchByBarcode?: string | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
  /** Matches `externalId` exactly. Repeat the parameter for up to 100 values. */
  externalId?: string | readonly string[] | undefined
  /** Matches `sku` exactly. Repeat the parameter for up to 100 values. */
  sku?: string | readonly string[] | undefined
  /** Matches `barcode` exactly. Repeat the parameter for up to 100 values. */
  barcode?: string | readonly string[] | undefined
  /** Matches `productId` exactly. Repeat the parameter for up to 100 values. */
  productId?: string | readonly string[] | undefined
  /** Id of an outlet. Lists only variants that the outlet carries and catalog visibility does not hide there. */
  visibleAt?: string | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
}

/** What `variants.createMany` takes. */
export interface VariantsCreateManyOptions extends WriteOptions {
  /** With `upsert`, an item updates the record that has its `externalId` and, where the resource has one, its `source`, and then needs only the members that change; without such a record it creates one. Items may then have `ifMatch`, and the key also needs the permission `update`. */
  mode?: 'create' | 'upsert' | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `variants.updateMany` takes. */
export interface VariantsUpdateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `variants.deleteMany` takes. */
export interface VariantsDeleteManyOptions extends RequestOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** One version of a product, such as a size or a colour. It has a price, a barcode, and stock at each outlet. */
export class VariantsApi extends Resource {
  /**
   * Create a variant.
   *
   * The key needs the permission `create` for `variant`.
   */
  create(body: T.VariantCreate, options?: VariantsCreateOptions): Call<T.Variant> {
    return this.core.call({ method: 'POST', path: '/v1/variant', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Read a variant.
   *
   * The key needs the permission `read` for `variant`.
   */
  get(id: string, options?: RequestOptions): Call<T.Variant> {
    return this.core.call({ method: 'GET', path: `/v1/variant/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Update a variant.
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member.
   *
   * The key needs the permission `update` for `variant`.
   */
  update(id: string, body: T.VariantUpdate, options?: VariantsUpdateOptions): Call<T.Variant> {
    return this.core.call({ method: 'PATCH', path: `/v1/variant/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Delete a variant.
   *
   * The key needs the permission `delete` for `variant`.
   */
  delete(id: string, options?: VariantsDeleteOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/variant/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Create or update a variant by its id in another system.
   *
   * Updates the record that has this `externalId`, or creates one: members that you send replace the stored ones, others keep their values, and a new record needs those that a create needs. Requests for the same id take turns, so there is never a second record. If several records have it already, the response is 409 and names them. Deleted records do not count.
   *
   * The key needs the permissions `create` and `update` for `variant`.
   */
  upsert(externalId: string, body: T.VariantUpdate, options?: VariantsUpsertOptions): Call<T.Variant> {
    return this.core.call({ method: 'PUT', path: `/v1/variant/external/${segment(externalId)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * List variants.
   *
   * The key needs the permission `read` for `variant`.
   */
  list(options?: VariantsListOptions): List<T.Variant> {
    return listOf(this.core, { method: 'GET', path: '/v1/variants', key: 'company' }, 'cursor', options)
  }

  /**
   * Create many variants.
   *
   * The key needs the permission `create` for `variant`.
   */
  createMany(items: readonly (T.VariantCreateItem | T.VariantUpsertItem)[], options?: VariantsCreateManyOptions): Promise<BulkResult<T.VariantCreateBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'POST', path: '/v1/variants', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Update many variants.
   *
   * The key needs the permission `update` for `variant`.
   */
  updateMany(items: readonly T.VariantUpdateItem[], options?: VariantsUpdateManyOptions): Promise<BulkResult<T.VariantBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'PATCH', path: '/v1/variants', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Delete many variants.
   *
   * The key needs the permission `delete` for `variant`.
   */
  deleteMany(items: readonly T.DeleteItem[], options?: VariantsDeleteManyOptions): Promise<BulkResult<T.DeleteBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'DELETE', path: '/v1/variants', key: 'company' }, items, options)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.Variant) => T.VariantUpdate | undefined | Promise<T.VariantUpdate | undefined>, options?: RequestOptions): Promise<T.Variant> {
    return edit(
      (own) => this.get(id, own),
      (body: T.VariantUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `inventory.create` takes. */
export interface InventoryCreateOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `inventory.update` takes. */
export interface InventoryUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `inventory.delete` takes. */
export interface InventoryDeleteOptions extends RequestOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `inventory.list` takes. */
export interface InventoryListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | 'stock' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
  /** Exactly this `productId`. */
  productId?: string | undefined
  /** Matches `variantId` exactly. Repeat the parameter for up to 100 values. */
  variantId?: string | readonly string[] | undefined
  /** Exactly this `outletId`. */
  outletId?: string | undefined
  /** Also return soft-deleted records. */
  includeDeleted?: boolean | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
}

/** What `inventory.createMany` takes. */
export interface InventoryCreateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `inventory.updateMany` takes. */
export interface InventoryUpdateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `inventory.deleteMany` takes. */
export interface InventoryDeleteManyOptions extends RequestOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `inventory.setLevels` takes. */
export interface InventorySetLevelsOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
  /** The reason; the history shows it. */
  reason?: string | undefined
}

/** What `inventory.adjust` takes. */
export interface InventoryAdjustOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
  /** The reason; the history shows it. */
  reason?: string | undefined
}

/** What `inventory.history` takes. */
export interface InventoryHistoryOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Exactly this `inventoryId`. */
  inventoryId?: string | undefined
  /** Exactly this `productId`. */
  productId?: string | undefined
  /** Exactly this `variantId`. */
  variantId?: string | undefined
  /** Exactly this `outletId`. */
  outletId?: string | undefined
  /** Exactly this `kind`. */
  kind?: 'SALE' | 'RETURN' | 'RECEIVED' | 'DAMAGE' | 'THEFT' | 'LOSS' | 'TRANSFER' | 'ADJUSTMENT' | 'RECOUNT' | undefined
  /** Matches `orderId` exactly. Repeat the parameter for up to 100 values. */
  orderId?: string | readonly string[] | undefined
}

/** The stock of a variant at an outlet. Each product, variant and outlet has at most one live record. An existing variant has one product, so it has one live record at an outlet; a `variantId` that matches no variant can have one for each product. Deleting flags the record and keeps it. */
export class InventoryApi extends Resource {
  /**
   * Create an inventory record.
   *
   * The key needs the permission `create` for `inventory`.
   */
  create(body: T.InventoryCreate, options?: InventoryCreateOptions): Call<T.Inventory> {
    return this.core.call({ method: 'POST', path: '/v1/inventory', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Read an inventory record.
   *
   * The key needs the permission `read` for `inventory`.
   */
  get(id: string, options?: RequestOptions): Call<T.Inventory> {
    return this.core.call({ method: 'GET', path: `/v1/inventory/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Update an inventory record.
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member.
   *
   * The key needs the permission `update` for `inventory`.
   */
  update(id: string, body: T.InventoryUpdate, options?: InventoryUpdateOptions): Call<T.Inventory> {
    return this.core.call({ method: 'PATCH', path: `/v1/inventory/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Delete an inventory record.
   *
   * The key needs the permission `delete` for `inventory`.
   */
  delete(id: string, options?: InventoryDeleteOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/inventory/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * List inventory records.
   *
   * The key needs the permission `read` for `inventory`.
   */
  list(options?: InventoryListOptions): List<T.Inventory> {
    return listOf(this.core, { method: 'GET', path: '/v1/inventories', key: 'company' }, 'cursor', options)
  }

  /**
   * Create many inventory records.
   *
   * The key needs the permission `create` for `inventory`.
   */
  createMany(items: readonly T.InventoryCreateItem[], options?: InventoryCreateManyOptions): Promise<BulkResult<T.InventoryBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'POST', path: '/v1/inventories', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Update many inventory records.
   *
   * The key needs the permission `update` for `inventory`.
   */
  updateMany(items: readonly T.InventoryUpdateItem[], options?: InventoryUpdateManyOptions): Promise<BulkResult<T.InventoryBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'PATCH', path: '/v1/inventories', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Delete many inventory records.
   *
   * The key needs the permission `delete` for `inventory`.
   */
  deleteMany(items: readonly T.DeleteItem[], options?: InventoryDeleteManyOptions): Promise<BulkResult<T.DeleteBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'DELETE', path: '/v1/inventories', key: 'company' }, items, options)
  }

  /**
   * Set stock to quantities.
   *
   * Sets the stock of the named combinations of product, variant and outlet; each combination can appear in only one item. An item names its variant by `variantId`, or by its `sku`, `barcode` or `variantExternalId`, which exactly one variant must have. A live record is overwritten; if there is none, or only a deleted one, a new record is created. An existing variant has one product: an item with another `productId` fails with 400. A quantity below zero fails unless the variant has `allowBackorder`. With `expectedQuantity`, the item fails if the current stock differs from it.
   *
   * The key needs the permission `create` for `inventory`.
   */
  setLevels(items: readonly T.LevelToSetItem[], options?: InventorySetLevelsOptions): Promise<BulkResult<T.InventoryMovedBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'POST', path: '/v1/inventories/set-levels', key: 'company', isKeyed: true }, items, options, ["reason"])
  }

  /**
   * Move stock by amounts.
   *
   * Adds each delta to the stock of its product and variant at its outlet, in the order of the items. An item names its variant by `variantId`, or by its `sku`, `barcode` or `variantExternalId`, which exactly one variant must have. Concurrent requests do not overwrite each other. A missing record starts at 0. An item that would take stock below zero fails with 409 unless the variant has `allowBackorder`. Consecutive items with the same `group` are all carried out, or none of them; use it for both halves of a transfer.
   *
   * The key needs the permission `create` for `inventory`.
   */
  adjust(items: readonly T.LevelToAdjustItem[], options?: InventoryAdjustOptions): Promise<BulkResult<T.InventoryMovedBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'POST', path: '/v1/inventories/adjust', key: 'company', isGrouped: true, isKeyed: true }, items, options, ["reason"])
  }

  /**
   * List inventory history.
   *
   * The key needs the permission `read` for `inventory-history`.
   */
  history(options?: InventoryHistoryOptions): List<T.InventoryHistory> {
    return listOf(this.core, { method: 'GET', path: '/v1/inventory-history', key: 'company' }, 'cursor', options)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.Inventory) => T.InventoryUpdate | undefined | Promise<T.InventoryUpdate | undefined>, options?: RequestOptions): Promise<T.Inventory> {
    return edit(
      (own) => this.get(id, own),
      (body: T.InventoryUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `catalogVisibility.create` takes. */
export interface CatalogVisibilityCreateOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `catalogVisibility.update` takes. */
export interface CatalogVisibilityUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `catalogVisibility.delete` takes. */
export interface CatalogVisibilityDeleteOptions extends RequestOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `catalogVisibility.list` takes. */
export interface CatalogVisibilityListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
  /** Exactly this `productId`. */
  productId?: string | undefined
  /** Exactly this `variantId`. */
  variantId?: string | undefined
  /** Exactly this `outletId`. */
  outletId?: string | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
}

/** What `catalogVisibility.createMany` takes. */
export interface CatalogVisibilityCreateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `catalogVisibility.updateMany` takes. */
export interface CatalogVisibilityUpdateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `catalogVisibility.deleteMany` takes. */
export interface CatalogVisibilityDeleteManyOptions extends RequestOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** Whether a product or variant is shown at an outlet. Without such a record, it is shown. */
export class CatalogVisibilityApi extends Resource {
  /**
   * Create a catalog visibility.
   *
   * The key needs the permission `create` for `catalog-visibility`.
   */
  create(body: T.CatalogVisibilityCreate, options?: CatalogVisibilityCreateOptions): Call<T.CatalogVisibility> {
    return this.core.call({ method: 'POST', path: '/v1/catalog-visibility', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Read a catalog visibility.
   *
   * The key needs the permission `read` for `catalog-visibility`.
   */
  get(id: string, options?: RequestOptions): Call<T.CatalogVisibility> {
    return this.core.call({ method: 'GET', path: `/v1/catalog-visibility/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Update a catalog visibility.
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member.
   *
   * The key needs the permission `update` for `catalog-visibility`.
   */
  update(id: string, body: T.CatalogVisibilityUpdate, options?: CatalogVisibilityUpdateOptions): Call<T.CatalogVisibility> {
    return this.core.call({ method: 'PATCH', path: `/v1/catalog-visibility/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Delete a catalog visibility.
   *
   * The key needs the permission `delete` for `catalog-visibility`.
   */
  delete(id: string, options?: CatalogVisibilityDeleteOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/catalog-visibility/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * List catalog visibilities.
   *
   * The key needs the permission `read` for `catalog-visibility`.
   */
  list(options?: CatalogVisibilityListOptions): List<T.CatalogVisibility> {
    return listOf(this.core, { method: 'GET', path: '/v1/catalog-visibilities', key: 'company' }, 'cursor', options)
  }

  /**
   * Create many catalog visibilities.
   *
   * The key needs the permission `create` for `catalog-visibility`.
   */
  createMany(items: readonly T.CatalogVisibilityCreateItem[], options?: CatalogVisibilityCreateManyOptions): Promise<BulkResult<T.CatalogVisibilityBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'POST', path: '/v1/catalog-visibilities', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Update many catalog visibilities.
   *
   * The key needs the permission `update` for `catalog-visibility`.
   */
  updateMany(items: readonly T.CatalogVisibilityUpdateItem[], options?: CatalogVisibilityUpdateManyOptions): Promise<BulkResult<T.CatalogVisibilityBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'PATCH', path: '/v1/catalog-visibilities', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Delete many catalog visibilities.
   *
   * The key needs the permission `delete` for `catalog-visibility`.
   */
  deleteMany(items: readonly T.DeleteItem[], options?: CatalogVisibilityDeleteManyOptions): Promise<BulkResult<T.DeleteBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'DELETE', path: '/v1/catalog-visibilities', key: 'company' }, items, options)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.CatalogVisibility) => T.CatalogVisibilityUpdate | undefined | Promise<T.CatalogVisibilityUpdate | undefined>, options?: RequestOptions): Promise<T.CatalogVisibility> {
    return edit(
      (own) => this.get(id, own),
      (body: T.CatalogVisibilityUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `taxTables.create` takes. */
export interface TaxTablesCreateOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `taxTables.update` takes. */
export interface TaxTablesUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `taxTables.delete` takes. */
export interface TaxTablesDeleteOptions extends RequestOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `taxTables.list` takes. */
export interface TaxTablesListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | 'name' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Words that `name` contains, in any order, ignoring case. At most 8 different words. */
  search?: string | undefined
  /** Part of `name`, ignoring case. */
  searchByName?: string | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
  /** Any of these `productTypes`, separated by commas. */
  productTypes?: string | readonly string[] | undefined
  /** Any of these `outletIds`, separated by commas. */
  outletIds?: string | readonly string[] | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
}

/** What `taxTables.createMany` takes. */
export interface TaxTablesCreateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `taxTables.updateMany` takes. */
export interface TaxTablesUpdateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `taxTables.deleteMany` takes. */
export interface TaxTablesDeleteManyOptions extends RequestOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** Tax rates for sale lines without `taxes`. A product names its table in `taxTable`, by id or name. Products that name none get the table that applies to their type and outlet, else the default one. */
export class TaxTablesApi extends Resource {
  /**
   * Create a tax table.
   *
   * The key needs the permission `create` for `tax-table`.
   */
  create(body: T.TaxTableCreate, options?: TaxTablesCreateOptions): Call<T.TaxTable> {
    return this.core.call({ method: 'POST', path: '/v1/tax-table', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Read a tax table.
   *
   * The key needs the permission `read` for `tax-table`.
   */
  get(id: string, options?: RequestOptions): Call<T.TaxTable> {
    return this.core.call({ method: 'GET', path: `/v1/tax-table/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Update a tax table.
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member.
   *
   * The key needs the permission `update` for `tax-table`.
   */
  update(id: string, body: T.TaxTableUpdate, options?: TaxTablesUpdateOptions): Call<T.TaxTable> {
    return this.core.call({ method: 'PATCH', path: `/v1/tax-table/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Delete a tax table.
   *
   * The key needs the permission `delete` for `tax-table`.
   */
  delete(id: string, options?: TaxTablesDeleteOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/tax-table/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * List tax tables.
   *
   * The key needs the permission `read` for `tax-table`.
   */
  list(options?: TaxTablesListOptions): List<T.TaxTable> {
    return listOf(this.core, { method: 'GET', path: '/v1/tax-tables', key: 'company' }, 'cursor', options)
  }

  /**
   * Create many tax tables.
   *
   * The key needs the permission `create` for `tax-table`.
   */
  createMany(items: readonly T.TaxTableCreateItem[], options?: TaxTablesCreateManyOptions): Promise<BulkResult<T.TaxTableBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'POST', path: '/v1/tax-tables', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Update many tax tables.
   *
   * The key needs the permission `update` for `tax-table`.
   */
  updateMany(items: readonly T.TaxTableUpdateItem[], options?: TaxTablesUpdateManyOptions): Promise<BulkResult<T.TaxTableBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'PATCH', path: '/v1/tax-tables', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Delete many tax tables.
   *
   * The key needs the permission `delete` for `tax-table`.
   */
  deleteMany(items: readonly T.DeleteItem[], options?: TaxTablesDeleteManyOptions): Promise<BulkResult<T.DeleteBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'DELETE', path: '/v1/tax-tables', key: 'company' }, items, options)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.TaxTable) => T.TaxTableUpdate | undefined | Promise<T.TaxTableUpdate | undefined>, options?: RequestOptions): Promise<T.TaxTable> {
    return edit(
      (own) => this.get(id, own),
      (body: T.TaxTableUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `customers.create` takes. */
export interface CustomersCreateOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `customers.update` takes. */
export interface CustomersUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `customers.delete` takes. */
export interface CustomersDeleteOptions extends RequestOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `customers.upsert` takes. */
export interface CustomersUpsertOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `customers.list` takes. */
export interface CustomersListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | 'email' | 'firstName' | 'lastName' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Words, each contained in one of `email`, `firstName`, `lastName`, `phone`, in any order, ignoring case. At most 8 different words. */
  search?: string | undefined
  /** Part of `email`, ignoring case. */
  searchByEmail?: string | undefined
  /** Part of `firstName`, ignoring case. */
  searchByFirstName?: string | undefined
  /** Part of `lastName`, ignoring case. */
  searchByLastName?: string | undefined
  /** Part of `phone`, ignoring case. */
  searchByPhone?: string | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
  /** Matches `externalId` exactly. Repeat the parameter for up to 100 values. */
  externalId?: string | readonly string[] | undefined
  /** Exactly this `outletId`. */
  outletId?: string | undefined
  /** Exactly this `source`. */
  source?: string | undefined
  /** Any of these `tags`, separated by commas. */
  tags?: string | readonly string[] | undefined
  /** Also return soft-deleted records. */
  includeDeleted?: boolean | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
}

/** What `customers.createMany` takes. */
export interface CustomersCreateManyOptions extends WriteOptions {
  /** With `upsert`, an item updates the record that has its `externalId` and, where the resource has one, its `source`, and then needs only the members that change; without such a record it creates one. Items may then have `ifMatch`, and the key also needs the permission `update`. */
  mode?: 'create' | 'upsert' | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `customers.updateMany` takes. */
export interface CustomersUpdateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `customers.deleteMany` takes. */
export interface CustomersDeleteManyOptions extends RequestOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `customers.restore` takes. */
export interface CustomersRestoreOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** A person or business that buys. Deleting flags the record and keeps it. */
export class CustomersApi extends Resource {
  /**
   * Create a customer.
   *
   * The key needs the permission `create` for `customer`.
   */
  create(body: T.CustomerCreate, options?: CustomersCreateOptions): Call<T.Customer> {
    return this.core.call({ method: 'POST', path: '/v1/customer', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Read a customer.
   *
   * The key needs the permission `read` for `customer`.
   */
  get(id: string, options?: RequestOptions): Call<T.Customer> {
    return this.core.call({ method: 'GET', path: `/v1/customer/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Update a customer.
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member.
   *
   * The key needs the permission `update` for `customer`.
   */
  update(id: string, body: T.CustomerUpdate, options?: CustomersUpdateOptions): Call<T.Customer> {
    return this.core.call({ method: 'PATCH', path: `/v1/customer/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Delete a customer.
   *
   * The key needs the permission `delete` for `customer`.
   */
  delete(id: string, options?: CustomersDeleteOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/customer/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Create or update a customer by its id in another system.
   *
   * Updates the record that has this `source` and `externalId`, or creates one: members that you send replace the stored ones, others keep their values, and a new record needs those that a create needs. Requests for the same id take turns, so there is never a second record. If several records have it already, the response is 409 and names them. Deleted records do not count.
   *
   * The key needs the permissions `create` and `update` for `customer`.
   */
  upsert(source: string, externalId: string, body: T.CustomerUpdate, options?: CustomersUpsertOptions): Call<T.Customer> {
    return this.core.call({ method: 'PUT', path: `/v1/customer/external/${segment(source)}/${segment(externalId)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * List customers.
   *
   * The key needs the permission `read` for `customer`.
   */
  list(options?: CustomersListOptions): List<T.Customer> {
    return listOf(this.core, { method: 'GET', path: '/v1/customers', key: 'company' }, 'cursor', options)
  }

  /**
   * Create many customers.
   *
   * The key needs the permission `create` for `customer`.
   */
  createMany(items: readonly (T.CustomerCreateItem | T.CustomerUpsertItem)[], options?: CustomersCreateManyOptions): Promise<BulkResult<T.CustomerCreateBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'POST', path: '/v1/customers', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Update many customers.
   *
   * The key needs the permission `update` for `customer`.
   */
  updateMany(items: readonly T.CustomerUpdateItem[], options?: CustomersUpdateManyOptions): Promise<BulkResult<T.CustomerBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'PATCH', path: '/v1/customers', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Delete many customers.
   *
   * The key needs the permission `delete` for `customer`.
   */
  deleteMany(items: readonly T.DeleteItem[], options?: CustomersDeleteManyOptions): Promise<BulkResult<T.DeleteBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'DELETE', path: '/v1/customers', key: 'company' }, items, options)
  }

  /**
   * Restore a customer.
   *
   * Restores a deleted record: `isDeleted` becomes false, and an update event is sent. A record that is not deleted is returned unchanged. The request takes no body.
   *
   * The key needs the permission `update` for `customer`.
   */
  restore(id: string, options?: CustomersRestoreOptions): Call<T.Customer> {
    return this.core.call({ method: 'POST', path: `/v1/customer/${segment(id)}/restore`, key: 'company', isKeyed: true }, options)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.Customer) => T.CustomerUpdate | undefined | Promise<T.CustomerUpdate | undefined>, options?: RequestOptions): Promise<T.Customer> {
    return edit(
      (own) => this.get(id, own),
      (body: T.CustomerUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `sessions.create` takes. */
export interface SessionsCreateOptions extends WriteOptions {
  /** Whether a session that is open at the station is closed first, with the present time as its `closeTime`. Without it, or with false, opening a second session is refused with 409 `conflict` if the company’s setting `oneOpenSession` is on. */
  takeOver?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `sessions.update` takes. */
export interface SessionsUpdateOptions extends WriteOptions, VersionOptions {
  /** Whether a session that is open at the station is closed first, with the present time as its `closeTime`. Without it, or with false, opening a second session is refused with 409 `conflict` if the company’s setting `oneOpenSession` is on. */
  takeOver?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `sessions.delete` takes. */
export interface SessionsDeleteOptions extends RequestOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `sessions.list` takes. */
export interface SessionsListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | 'sessionNumber' | 'openTime' | 'closeTime' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Words that `sessionNumber` contains, in any order, ignoring case. At most 8 different words. */
  search?: string | undefined
  /** Part of `sessionNumber`, ignoring case. */
  searchBySessionNumber?: string | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
  /** Bounds of `openTime`, as in `openTime[gte]=2026-11-21`. */
  openTime?: TimeBounds | undefined
  /** Bounds of `closeTime`, as in `closeTime[gte]=2026-11-21`. */
  closeTime?: TimeBounds | undefined
  /** Exactly this `stationId`. */
  stationId?: string | undefined
  /** Exactly this `openedBy`. */
  openedBy?: string | undefined
  /** Exactly this `closedBy`. */
  closedBy?: string | undefined
  /** With `true`, only sessions that are open; with `false`, only those that were closed. */
  isOpen?: boolean | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
}

/** What `sessions.createMany` takes. */
export interface SessionsCreateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** Whether a session that is open at the station is closed first, with the present time as its `closeTime`. Without it, or with false, opening a second session is refused with 409 `conflict` if the company’s setting `oneOpenSession` is on. */
  takeOver?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `sessions.updateMany` takes. */
export interface SessionsUpdateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** Whether a session that is open at the station is closed first, with the present time as its `closeTime`. Without it, or with false, opening a second session is refused with 409 `conflict` if the company’s setting `oneOpenSession` is on. */
  takeOver?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `sessions.deleteMany` takes. */
export interface SessionsDeleteManyOptions extends RequestOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `sessions.close` takes. */
export interface SessionsCloseOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** A till from opening to counting, with the amounts found in it. A station has at most one open session if the company’s setting `oneOpenSession` is on. */
export class SessionsApi extends Resource {
  /**
   * Create a session.
   *
   * The key needs the permission `create` for `session`.
   */
  create(body: T.SessionCreate, options?: SessionsCreateOptions): Call<T.Session> {
    return this.core.call({ method: 'POST', path: '/v1/session', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Read a session.
   *
   * The key needs the permission `read` for `session`.
   */
  get(id: string, options?: RequestOptions): Call<T.Session> {
    return this.core.call({ method: 'GET', path: `/v1/session/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Update a session.
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member.
   *
   * The key needs the permission `update` for `session`.
   */
  update(id: string, body: T.SessionUpdate, options?: SessionsUpdateOptions): Call<T.Session> {
    return this.core.call({ method: 'PATCH', path: `/v1/session/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Delete a session.
   *
   * The key needs the permission `delete` for `session`.
   */
  delete(id: string, options?: SessionsDeleteOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/session/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * List sessions.
   *
   * The key needs the permission `read` for `session`.
   */
  list(options?: SessionsListOptions): List<T.Session> {
    return listOf(this.core, { method: 'GET', path: '/v1/sessions', key: 'company' }, 'cursor', options)
  }

  /**
   * Create many sessions.
   *
   * The key needs the permission `create` for `session`.
   */
  createMany(items: readonly T.SessionCreateItem[], options?: SessionsCreateManyOptions): Promise<BulkResult<T.SessionBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'POST', path: '/v1/sessions', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Update many sessions.
   *
   * The key needs the permission `update` for `session`.
   */
  updateMany(items: readonly T.SessionUpdateItem[], options?: SessionsUpdateManyOptions): Promise<BulkResult<T.SessionBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'PATCH', path: '/v1/sessions', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Delete many sessions.
   *
   * The key needs the permission `delete` for `session`.
   */
  deleteMany(items: readonly T.DeleteItem[], options?: SessionsDeleteManyOptions): Promise<BulkResult<T.DeleteBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'DELETE', path: '/v1/sessions', key: 'company' }, items, options)
  }

  /**
   * Read the report of a session (X).
   *
   * For an open session: what its closing would be now, with the late records that changed in the last 31 days. For a closed session: all of its records as they are now; its closing shows them as they were then.
   *
   * The key needs the permission `read` for `session`.
   */
  report(id: string, options?: RequestOptions): Call<T.SessionReport> {
    return this.core.call({ method: 'GET', path: `/v1/session/${segment(id)}/report`, key: 'company' }, options)
  }

  /**
   * Close a session with a closing (Z).
   *
   * Sets `closeTime`, `closingAmount`, `closingAmounts`, `closedBy` and `closingNote` of the session, which raises `session.updated` and `session.closed`, and stores a closing. If the session is already closed, the response is 409 `conflict`.
   *
   * The key needs the permission `update` for `session`.
   */
  close(id: string, body?: T.SessionClose, options?: SessionsCloseOptions): Call<T.Closing> {
    return this.core.call({ method: 'POST', path: `/v1/session/${segment(id)}/close`, key: 'company', isKeyed: true }, options, body ?? {})
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.Session) => T.SessionUpdate | undefined | Promise<T.SessionUpdate | undefined>, options?: RequestOptions): Promise<T.Session> {
    return edit(
      (own) => this.get(id, own),
      (body: T.SessionUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `closings.list` takes. */
export interface ClosingsListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'number' | 'closeTime' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `closeTime`, as in `closeTime[gte]=2026-11-21`. */
  closeTime?: TimeBounds | undefined
  /** Exactly this `stationId`. */
  stationId?: string | undefined
  /** Exactly this `sessionId`. */
  sessionId?: string | undefined
}

/** The closing report (Z) of a session. Its figures are copies, so later changes of the session, its orders and its payments do not affect them. A closing includes everything of its station that no earlier closing included, so each record is in one closing. */
export class ClosingsApi extends Resource {
  /**
   * List closings.
   *
   * The key needs the permission `read` for `closing`.
   */
  list(options?: ClosingsListOptions): List<T.Closing> {
    return listOf(this.core, { method: 'GET', path: '/v1/closings', key: 'company' }, 'cursor', options)
  }

  /**
   * Read a closing.
   *
   * The key needs the permission `read` for `closing`.
   */
  get(id: string, options?: RequestOptions): Call<T.Closing> {
    return this.core.call({ method: 'GET', path: `/v1/closing/${segment(id)}`, key: 'company' }, options)
  }
}

/** What `cashMovements.create` takes. */
export interface CashMovementsCreateOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `cashMovements.update` takes. */
export interface CashMovementsUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `cashMovements.delete` takes. */
export interface CashMovementsDeleteOptions extends RequestOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `cashMovements.upsert` takes. */
export interface CashMovementsUpsertOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `cashMovements.list` takes. */
export interface CashMovementsListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | 'occurredAt' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
  /** Bounds of `occurredAt`, or of `createdAt` where it is absent, as in `occurredAt[gte]=2026-11-21`. */
  occurredAt?: TimeBounds | undefined
  /** Matches `externalId` exactly. Repeat the parameter for up to 100 values. */
  externalId?: string | readonly string[] | undefined
  /** Exactly this `sessionId`. */
  sessionId?: string | undefined
  /** Exactly this `type`. */
  type?: 'pay-in' | 'pay-out' | 'drop' | 'float' | undefined
  /** Exactly this `currency`. */
  currency?: string | undefined
  /** Exactly this `employee`. */
  employee?: string | undefined
  /** Id of a station. Lists only movements of its sessions. */
  stationId?: string | undefined
  /** Id of an outlet. Lists only movements at its stations. */
  outletId?: string | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
}

/** What `cashMovements.createMany` takes. */
export interface CashMovementsCreateManyOptions extends WriteOptions {
  /** With `upsert`, an item updates the record that has its `externalId` and, where the resource has one, its `source`, and then needs only the members that change; without such a record it creates one. Items may then have `ifMatch`, and the key also needs the permission `update`. */
  mode?: 'create' | 'upsert' | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `cashMovements.updateMany` takes. */
export interface CashMovementsUpdateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `cashMovements.deleteMany` takes. */
export interface CashMovementsDeleteManyOptions extends RequestOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** Cash that is put into the drawer of a till or taken out of it without a sale, such as change from the bank or a payment to a courier. Session reports and closings add movements up. */
export class CashMovementsApi extends Resource {
  /**
   * Create a cash movement.
   *
   * The key needs the permission `create` for `cash-movement`.
   */
  create(body: T.CashMovementCreate, options?: CashMovementsCreateOptions): Call<T.CashMovement> {
    return this.core.call({ method: 'POST', path: '/v1/cash-movement', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Read a cash movement.
   *
   * The key needs the permission `read` for `cash-movement`.
   */
  get(id: string, options?: RequestOptions): Call<T.CashMovement> {
    return this.core.call({ method: 'GET', path: `/v1/cash-movement/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Update a cash movement.
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member.
   *
   * The key needs the permission `update` for `cash-movement`.
   */
  update(id: string, body: T.CashMovementUpdate, options?: CashMovementsUpdateOptions): Call<T.CashMovement> {
    return this.core.call({ method: 'PATCH', path: `/v1/cash-movement/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Delete a cash movement.
   *
   * The key needs the permission `delete` for `cash-movement`.
   */
  delete(id: string, options?: CashMovementsDeleteOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/cash-movement/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Create or update a cash movement by its id in another system.
   *
   * Updates the record that has this `externalId`, or creates one: members that you send replace the stored ones, others keep their values, and a new record needs those that a create needs. Requests for the same id take turns, so there is never a second record. If several records have it already, the response is 409 and names them. Deleted records do not count.
   *
   * The key needs the permissions `create` and `update` for `cash-movement`.
   */
  upsert(externalId: string, body: T.CashMovementUpdate, options?: CashMovementsUpsertOptions): Call<T.CashMovement> {
    return this.core.call({ method: 'PUT', path: `/v1/cash-movement/external/${segment(externalId)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * List cash movements.
   *
   * The key needs the permission `read` for `cash-movement`.
   */
  list(options?: CashMovementsListOptions): List<T.CashMovement> {
    return listOf(this.core, { method: 'GET', path: '/v1/cash-movements', key: 'company' }, 'cursor', options)
  }

  /**
   * Create many cash movements.
   *
   * The key needs the permission `create` for `cash-movement`.
   */
  createMany(items: readonly (T.CashMovementCreateItem | T.CashMovementUpsertItem)[], options?: CashMovementsCreateManyOptions): Promise<BulkResult<T.CashMovementCreateBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'POST', path: '/v1/cash-movements', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Update many cash movements.
   *
   * The key needs the permission `update` for `cash-movement`.
   */
  updateMany(items: readonly T.CashMovementUpdateItem[], options?: CashMovementsUpdateManyOptions): Promise<BulkResult<T.CashMovementBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'PATCH', path: '/v1/cash-movements', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Delete many cash movements.
   *
   * The key needs the permission `delete` for `cash-movement`.
   */
  deleteMany(items: readonly T.DeleteItem[], options?: CashMovementsDeleteManyOptions): Promise<BulkResult<T.DeleteBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'DELETE', path: '/v1/cash-movements', key: 'company' }, items, options)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.CashMovement) => T.CashMovementUpdate | undefined | Promise<T.CashMovementUpdate | undefined>, options?: RequestOptions): Promise<T.CashMovement> {
    return edit(
      (own) => this.get(id, own),
      (body: T.CashMovementUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `orders.create` takes. */
export interface OrdersCreateOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `orders.update` takes. */
export interface OrdersUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `orders.delete` takes. */
export interface OrdersDeleteOptions extends RequestOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `orders.upsert` takes. */
export interface OrdersUpsertOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `orders.list` takes. */
export interface OrdersListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | 'receiptId' | 'status' | 'occurredAt' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Words, each contained in one of `receiptId`, `customerNote`, in any order, ignoring case. At most 8 different words. */
  search?: string | undefined
  /** Part of `receiptId`, ignoring case. */
  searchByReceiptId?: string | undefined
  /** Part of `customerNote`, ignoring case. */
  searchByCustomerNote?: string | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
  /** Bounds of `occurredAt`, or of `createdAt` where it is absent, as in `occurredAt[gte]=2026-11-21`. */
  occurredAt?: TimeBounds | undefined
  /** Matches `externalId` exactly. Repeat the parameter for up to 100 values. */
  externalId?: string | readonly string[] | undefined
  /** Matches `receiptId` exactly. Repeat the parameter for up to 100 values. */
  receiptId?: string | readonly string[] | undefined
  /** Exactly this `status`, or any of several, separated by commas. */
  status?: string | readonly string[] | undefined
  /** Exactly this `source`. */
  source?: string | undefined
  /** Exactly this `currency`. */
  currency?: string | undefined
  /** Exactly this `employee`. */
  employee?: string | undefined
  /** Exactly this `customerId`. */
  customerId?: string | undefined
  /** Exactly this `outletId`. */
  outletId?: string | undefined
  /** Exactly this `stationId`. */
  stationId?: string | undefined
  /** Exactly this `sessionId`. */
  sessionId?: string | undefined
  /** Only orders for which something is due: `unpaid` if nothing was paid or kept, otherwise `partially-paid`. An order without payments that is not a sale has no payment status. */
  paymentStatus?: 'unpaid' | 'partially-paid' | undefined
  /** With `true`, only orders with `checks`; with `false`, only those without. */
  hasChecks?: boolean | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
}

/** What `orders.createMany` takes. */
export interface OrdersCreateManyOptions extends WriteOptions {
  /** With `upsert`, an item updates the record that has its `externalId` and, where the resource has one, its `source`, and then needs only the members that change; without such a record it creates one. Items may then have `ifMatch`, and the key also needs the permission `update`. */
  mode?: 'create' | 'upsert' | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `orders.updateMany` takes. */
export interface OrdersUpdateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `orders.deleteMany` takes. */
export interface OrdersDeleteManyOptions extends RequestOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** A sale with its lines, totals and payments. The till computes all amounts; the service stores them as they are sent. An order does not change stock until it is completed as a sale. The guide `docs/guides/anatomy-of-a-sale.md` follows a sale from the receipt to each of its members. */
export class OrdersApi extends Resource {
  /**
   * Create an order.
   *
   * The key needs the permission `create` for `order`.
   */
  create(body: T.OrderCreate, options?: OrdersCreateOptions): Call<T.Order> {
    return this.core.call({ method: 'POST', path: '/v1/order', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Read an order.
   *
   * The key needs the permission `read` for `order`.
   */
  get(id: string, options?: RequestOptions): Call<T.Order> {
    return this.core.call({ method: 'GET', path: `/v1/order/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Update an order.
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member.
   *
   * The key needs the permission `update` for `order`.
   */
  update(id: string, body: T.OrderUpdate, options?: OrdersUpdateOptions): Call<T.Order> {
    return this.core.call({ method: 'PATCH', path: `/v1/order/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Delete an order.
   *
   * The key needs the permission `delete` for `order`.
   */
  delete(id: string, options?: OrdersDeleteOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/order/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Create or update an order by its id in another system.
   *
   * Updates the record that has this `source` and `externalId`, or creates one: members that you send replace the stored ones, others keep their values, and a new record needs those that a create needs. Requests for the same id take turns, so there is never a second record. If several records have it already, the response is 409 and names them. Deleted records do not count.
   *
   * The key needs the permissions `create` and `update` for `order`.
   */
  upsert(source: string, externalId: string, body: T.OrderUpdate, options?: OrdersUpsertOptions): Call<T.Order> {
    return this.core.call({ method: 'PUT', path: `/v1/order/external/${segment(source)}/${segment(externalId)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * List orders.
   *
   * The key needs the permission `read` for `order`.
   */
  list(options?: OrdersListOptions): List<T.Order> {
    return listOf(this.core, { method: 'GET', path: '/v1/orders', key: 'company' }, 'cursor', options)
  }

  /**
   * Create many orders.
   *
   * The key needs the permission `create` for `order`.
   */
  createMany(items: readonly (T.OrderCreateItem | T.OrderUpsertItem)[], options?: OrdersCreateManyOptions): Promise<BulkResult<T.OrderCreateBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'POST', path: '/v1/orders', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Update many orders.
   *
   * The key needs the permission `update` for `order`.
   */
  updateMany(items: readonly T.OrderUpdateItem[], options?: OrdersUpdateManyOptions): Promise<BulkResult<T.OrderBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'PATCH', path: '/v1/orders', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Delete many orders.
   *
   * The key needs the permission `delete` for `order`.
   */
  deleteMany(items: readonly T.DeleteItem[], options?: OrdersDeleteManyOptions): Promise<BulkResult<T.DeleteBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'DELETE', path: '/v1/orders', key: 'company' }, items, options)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.Order) => T.OrderUpdate | undefined | Promise<T.OrderUpdate | undefined>, options?: RequestOptions): Promise<T.Order> {
    return edit(
      (own) => this.get(id, own),
      (body: T.OrderUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `transactions.create` takes. */
export interface TransactionsCreateOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `transactions.update` takes. */
export interface TransactionsUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `transactions.delete` takes. */
export interface TransactionsDeleteOptions extends RequestOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `transactions.upsert` takes. */
export interface TransactionsUpsertOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `transactions.list` takes. */
export interface TransactionsListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | 'amount' | 'occurredAt' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Words, each contained in one of `receiptId`, `notes`, in any order, ignoring case. At most 8 different words. */
  search?: string | undefined
  /** Part of `receiptId`, ignoring case. */
  searchByReceiptId?: string | undefined
  /** Part of `notes`, ignoring case. */
  searchByNotes?: string | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
  /** Bounds of `occurredAt`, or of `createdAt` where it is absent, as in `occurredAt[gte]=2026-11-21`. */
  occurredAt?: TimeBounds | undefined
  /** Matches `externalId` exactly. Repeat the parameter for up to 100 values. */
  externalId?: string | readonly string[] | undefined
  /** Exactly this `type`, or any of several, separated by commas. */
  type?: string | readonly string[] | undefined
  /** Exactly this `paymentMethod`, or any of several, separated by commas. */
  paymentMethod?: string | readonly string[] | undefined
  /** Exactly this `currency`. */
  currency?: string | undefined
  /** Exactly this `employee`. */
  employee?: string | undefined
  /** Exactly this `sessionId`. */
  sessionId?: string | undefined
  /** Matches `orderId` exactly. Repeat the parameter for up to 100 values. */
  orderId?: string | readonly string[] | undefined
  /** Exactly this `refundId`. */
  refundId?: string | undefined
  /** Exactly this `outletId`. */
  outletId?: string | undefined
  /** Matches `paymentData.processorTransactionId` exactly: the id of the payment in the processor’s settlement file. Repeat the parameter for up to 100 values. */
  processorTransactionId?: string | readonly string[] | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
}

/** What `transactions.createMany` takes. */
export interface TransactionsCreateManyOptions extends WriteOptions {
  /** With `upsert`, an item updates the record that has its `externalId` and, where the resource has one, its `source`, and then needs only the members that change; without such a record it creates one. Items may then have `ifMatch`, and the key also needs the permission `update`. */
  mode?: 'create' | 'upsert' | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `transactions.updateMany` takes. */
export interface TransactionsUpdateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `transactions.deleteMany` takes. */
export interface TransactionsDeleteManyOptions extends RequestOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** One payment in or out, in cash or through a processor. */
export class TransactionsApi extends Resource {
  /**
   * Create a transaction.
   *
   * The key needs the permission `create` for `transaction`.
   */
  create(body: T.TransactionCreate, options?: TransactionsCreateOptions): Call<T.Transaction> {
    return this.core.call({ method: 'POST', path: '/v1/transaction', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Read a transaction.
   *
   * The key needs the permission `read` for `transaction`.
   */
  get(id: string, options?: RequestOptions): Call<T.Transaction> {
    return this.core.call({ method: 'GET', path: `/v1/transaction/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Update a transaction.
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member.
   *
   * The key needs the permission `update` for `transaction`.
   */
  update(id: string, body: T.TransactionUpdate, options?: TransactionsUpdateOptions): Call<T.Transaction> {
    return this.core.call({ method: 'PATCH', path: `/v1/transaction/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Delete a transaction.
   *
   * The key needs the permission `delete` for `transaction`.
   */
  delete(id: string, options?: TransactionsDeleteOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/transaction/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Create or update a transaction by its id in another system.
   *
   * Updates the record that has this `externalId`, or creates one: members that you send replace the stored ones, others keep their values, and a new record needs those that a create needs. Requests for the same id take turns, so there is never a second record. If several records have it already, the response is 409 and names them. Deleted records do not count.
   *
   * The key needs the permissions `create` and `update` for `transaction`.
   */
  upsert(externalId: string, body: T.TransactionUpdate, options?: TransactionsUpsertOptions): Call<T.Transaction> {
    return this.core.call({ method: 'PUT', path: `/v1/transaction/external/${segment(externalId)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * List transactions.
   *
   * The key needs the permission `read` for `transaction`.
   */
  list(options?: TransactionsListOptions): List<T.Transaction> {
    return listOf(this.core, { method: 'GET', path: '/v1/transactions', key: 'company' }, 'cursor', options)
  }

  /**
   * Create many transactions.
   *
   * The key needs the permission `create` for `transaction`.
   */
  createMany(items: readonly (T.TransactionCreateItem | T.TransactionUpsertItem)[], options?: TransactionsCreateManyOptions): Promise<BulkResult<T.TransactionCreateBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'POST', path: '/v1/transactions', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Update many transactions.
   *
   * The key needs the permission `update` for `transaction`.
   */
  updateMany(items: readonly T.TransactionUpdateItem[], options?: TransactionsUpdateManyOptions): Promise<BulkResult<T.TransactionBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'PATCH', path: '/v1/transactions', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Delete many transactions.
   *
   * The key needs the permission `delete` for `transaction`.
   */
  deleteMany(items: readonly T.DeleteItem[], options?: TransactionsDeleteManyOptions): Promise<BulkResult<T.DeleteBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'DELETE', path: '/v1/transactions', key: 'company' }, items, options)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.Transaction) => T.TransactionUpdate | undefined | Promise<T.TransactionUpdate | undefined>, options?: RequestOptions): Promise<T.Transaction> {
    return edit(
      (own) => this.get(id, own),
      (body: T.TransactionUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `refunds.create` takes. */
export interface RefundsCreateOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `refunds.update` takes. */
export interface RefundsUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `refunds.delete` takes. */
export interface RefundsDeleteOptions extends RequestOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `refunds.upsert` takes. */
export interface RefundsUpsertOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `refunds.list` takes. */
export interface RefundsListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | 'occurredAt' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Words that `reason` contains, in any order, ignoring case. At most 8 different words. */
  search?: string | undefined
  /** Part of `reason`, ignoring case. */
  searchByReason?: string | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
  /** Bounds of `occurredAt`, or of `createdAt` where it is absent, as in `occurredAt[gte]=2026-11-21`. */
  occurredAt?: TimeBounds | undefined
  /** Matches `externalId` exactly. Repeat the parameter for up to 100 values. */
  externalId?: string | readonly string[] | undefined
  /** Exactly this `currency`. */
  currency?: string | undefined
  /** Matches `orderId` exactly. Repeat the parameter for up to 100 values. */
  orderId?: string | readonly string[] | undefined
  /** Exactly this `sessionId`. */
  sessionId?: string | undefined
  /** Exactly this `refundedBy`. */
  refundedBy?: string | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
}

/** What `refunds.createMany` takes. */
export interface RefundsCreateManyOptions extends WriteOptions {
  /** With `upsert`, an item updates the record that has its `externalId` and, where the resource has one, its `source`, and then needs only the members that change; without such a record it creates one. Items may then have `ifMatch`, and the key also needs the permission `update`. */
  mode?: 'create' | 'upsert' | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `refunds.updateMany` takes. */
export interface RefundsUpdateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `refunds.deleteMany` takes. */
export interface RefundsDeleteManyOptions extends RequestOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** Returned lines of an order, and the money paid back for them. It does not change stock. */
export class RefundsApi extends Resource {
  /**
   * Create a refund.
   *
   * The key needs the permission `create` for `refund`.
   */
  create(body: T.RefundCreate, options?: RefundsCreateOptions): Call<T.Refund> {
    return this.core.call({ method: 'POST', path: '/v1/refund', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Read a refund.
   *
   * The key needs the permission `read` for `refund`.
   */
  get(id: string, options?: RequestOptions): Call<T.Refund> {
    return this.core.call({ method: 'GET', path: `/v1/refund/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Update a refund.
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member.
   *
   * The key needs the permission `update` for `refund`.
   */
  update(id: string, body: T.RefundUpdate, options?: RefundsUpdateOptions): Call<T.Refund> {
    return this.core.call({ method: 'PATCH', path: `/v1/refund/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Delete a refund.
   *
   * The key needs the permission `delete` for `refund`.
   */
  delete(id: string, options?: RefundsDeleteOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/refund/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Create or update a refund by its id in another system.
   *
   * Updates the record that has this `externalId`, or creates one: members that you send replace the stored ones, others keep their values, and a new record needs those that a create needs. Requests for the same id take turns, so there is never a second record. If several records have it already, the response is 409 and names them. Deleted records do not count.
   *
   * The key needs the permissions `create` and `update` for `refund`.
   */
  upsert(externalId: string, body: T.RefundUpdate, options?: RefundsUpsertOptions): Call<T.Refund> {
    return this.core.call({ method: 'PUT', path: `/v1/refund/external/${segment(externalId)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * List refunds.
   *
   * The key needs the permission `read` for `refund`.
   */
  list(options?: RefundsListOptions): List<T.Refund> {
    return listOf(this.core, { method: 'GET', path: '/v1/refunds', key: 'company' }, 'cursor', options)
  }

  /**
   * Create many refunds.
   *
   * The key needs the permission `create` for `refund`.
   */
  createMany(items: readonly (T.RefundCreateItem | T.RefundUpsertItem)[], options?: RefundsCreateManyOptions): Promise<BulkResult<T.RefundCreateBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'POST', path: '/v1/refunds', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Update many refunds.
   *
   * The key needs the permission `update` for `refund`.
   */
  updateMany(items: readonly T.RefundUpdateItem[], options?: RefundsUpdateManyOptions): Promise<BulkResult<T.RefundBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'PATCH', path: '/v1/refunds', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Delete many refunds.
   *
   * The key needs the permission `delete` for `refund`.
   */
  deleteMany(items: readonly T.DeleteItem[], options?: RefundsDeleteManyOptions): Promise<BulkResult<T.DeleteBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'DELETE', path: '/v1/refunds', key: 'company' }, items, options)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.Refund) => T.RefundUpdate | undefined | Promise<T.RefundUpdate | undefined>, options?: RequestOptions): Promise<T.Refund> {
    return edit(
      (own) => this.get(id, own),
      (body: T.RefundUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `attachments.create` takes. */
export interface AttachmentsCreateOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `attachments.update` takes. */
export interface AttachmentsUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `attachments.delete` takes. */
export interface AttachmentsDeleteOptions extends RequestOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `attachments.list` takes. */
export interface AttachmentsListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | 'name' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Words that `name` contains, in any order, ignoring case. At most 8 different words. */
  search?: string | undefined
  /** Part of `name`, ignoring case. */
  searchByName?: string | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
  /** Exactly this `accountId`. */
  accountId?: string | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
}

/** What `attachments.createMany` takes. */
export interface AttachmentsCreateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `attachments.updateMany` takes. */
export interface AttachmentsUpdateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `attachments.deleteMany` takes. */
export interface AttachmentsDeleteManyOptions extends RequestOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** A file of the company: kept by the service, in `file`, or stored elsewhere at `url`. */
export class AttachmentsApi extends Resource {
  /**
   * Create an attachment.
   *
   * The key needs the permission `create` for `attachment`.
   */
  create(body: T.AttachmentCreate, options?: AttachmentsCreateOptions): Call<T.Attachment> {
    return this.core.call({ method: 'POST', path: '/v1/attachment', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Read an attachment.
   *
   * The key needs the permission `read` for `attachment`.
   */
  get(id: string, options?: RequestOptions): Call<T.Attachment> {
    return this.core.call({ method: 'GET', path: `/v1/attachment/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Update an attachment.
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member.
   *
   * The key needs the permission `update` for `attachment`.
   */
  update(id: string, body: T.AttachmentUpdate, options?: AttachmentsUpdateOptions): Call<T.Attachment> {
    return this.core.call({ method: 'PATCH', path: `/v1/attachment/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Delete an attachment.
   *
   * The key needs the permission `delete` for `attachment`.
   */
  delete(id: string, options?: AttachmentsDeleteOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/attachment/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * List attachments.
   *
   * The key needs the permission `read` for `attachment`.
   */
  list(options?: AttachmentsListOptions): List<T.Attachment> {
    return listOf(this.core, { method: 'GET', path: '/v1/attachments', key: 'company' }, 'cursor', options)
  }

  /**
   * Create many attachments.
   *
   * The key needs the permission `create` for `attachment`.
   */
  createMany(items: readonly T.AttachmentCreateItem[], options?: AttachmentsCreateManyOptions): Promise<BulkResult<T.AttachmentBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'POST', path: '/v1/attachments', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Update many attachments.
   *
   * The key needs the permission `update` for `attachment`.
   */
  updateMany(items: readonly T.AttachmentUpdateItem[], options?: AttachmentsUpdateManyOptions): Promise<BulkResult<T.AttachmentBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'PATCH', path: '/v1/attachments', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Delete many attachments.
   *
   * The key needs the permission `delete` for `attachment`.
   */
  deleteMany(items: readonly T.DeleteItem[], options?: AttachmentsDeleteManyOptions): Promise<BulkResult<T.DeleteBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'DELETE', path: '/v1/attachments', key: 'company' }, items, options)
  }

  /**
   * Send the file of an attachment.
   *
   * The body is the file itself, of at most 25 MB and any content type except JSON and forms (multipart). It replaces the attachment’s current file once it has arrived completely. Sending the same file again changes nothing.
   *
   * The key needs the permission `update` for `attachment`.
   */
  upload(id: string, body: Blob, options?: WriteOptions & VersionOptions): Call<T.Attachment> {
    return this.core.call({ method: 'PUT', path: `/v1/attachment/${segment(id)}/file`, key: 'company', isKeyed: true, contentType: '*/*' }, options, body)
  }

  /**
   * Download the file of an attachment.
   *
   * Its `ETag` changes with the file. The connection is cut if the key is deleted meanwhile. A page in a browser sends no key; get a link for it instead.
   *
   * The key needs the permission `read` for `attachment`.
   */
  download(id: string, options?: RequestOptions): Call<ReadableStream<Uint8Array>> {
    return this.core.call({ method: 'GET', path: `/v1/attachment/${segment(id)}/file`, key: 'company', isFile: true }, options)
  }

  /**
   * Remove the file of an attachment.
   *
   * The attachment stays. Deleting an attachment removes its file too.
   *
   * The key needs the permission `update` for `attachment`.
   */
  deleteFile(id: string, options?: RequestOptions & VersionOptions): Call<T.Attachment> {
    return this.core.call({ method: 'DELETE', path: `/v1/attachment/${segment(id)}/file`, key: 'company' }, options)
  }

  /**
   * Get a link to the file of an attachment.
   *
   * The link needs no key and works for 10 minutes. Use it for pictures on a page.
   *
   * The key needs the permission `read` for `attachment`.
   */
  fileLink(id: string, options?: RequestOptions): Call<T.FileLink> {
    return this.core.call({ method: 'GET', path: `/v1/attachment/${segment(id)}/file/link`, key: 'company' }, options)
  }

  /**
   * Download a file by its link.
   *
   * Needs no key.
   */
  downloadLinked(link: string, options?: RequestOptions): Call<ReadableStream<Uint8Array>> {
    return this.core.call({ method: 'GET', path: `/v1/public/file/${segment(link)}`, isFile: true }, options)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.Attachment) => T.AttachmentUpdate | undefined | Promise<T.AttachmentUpdate | undefined>, options?: RequestOptions): Promise<T.Attachment> {
    return edit(
      (own) => this.get(id, own),
      (body: T.AttachmentUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `automationTriggers.create` takes. */
export interface AutomationTriggersCreateOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `automationTriggers.update` takes. */
export interface AutomationTriggersUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `automationTriggers.delete` takes. */
export interface AutomationTriggersDeleteOptions extends RequestOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `automationTriggers.list` takes. */
export interface AutomationTriggersListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | 'triggerType' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Words, each contained in one of `triggerType`, `customTriggerName`, in any order, ignoring case. At most 8 different words. */
  search?: string | undefined
  /** Part of `triggerType`, ignoring case. */
  searchByTriggerType?: string | undefined
  /** Part of `customTriggerName`, ignoring case. */
  searchByCustomTriggerName?: string | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
  /** Exactly this `triggerId`. */
  triggerId?: string | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
}

/** What `automationTriggers.createMany` takes. */
export interface AutomationTriggersCreateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `automationTriggers.updateMany` takes. */
export interface AutomationTriggersUpdateManyOptions extends WriteOptions {
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `automationTriggers.deleteMany` takes. */
export interface AutomationTriggersDeleteManyOptions extends RequestOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** A URL of an automation tool that receives events. */
export class AutomationTriggersApi extends Resource {
  /**
   * Create an automation trigger.
   *
   * The key needs the permission `create` for all resources.
   */
  create(body: T.AutomationTriggerCreate, options?: AutomationTriggersCreateOptions): Call<T.AutomationTrigger> {
    return this.core.call({ method: 'POST', path: '/v1/automation-trigger', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Read an automation trigger.
   *
   * The key needs the permission `read` for all resources.
   */
  get(id: string, options?: RequestOptions): Call<T.AutomationTrigger> {
    return this.core.call({ method: 'GET', path: `/v1/automation-trigger/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Update an automation trigger.
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member.
   *
   * The key needs the permission `update` for all resources.
   */
  update(id: string, body: T.AutomationTriggerUpdate, options?: AutomationTriggersUpdateOptions): Call<T.AutomationTrigger> {
    return this.core.call({ method: 'PATCH', path: `/v1/automation-trigger/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Delete an automation trigger.
   *
   * The key needs the permission `delete` for all resources.
   */
  delete(id: string, options?: AutomationTriggersDeleteOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/automation-trigger/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * List automation triggers.
   *
   * The key needs the permission `read` for all resources.
   */
  list(options?: AutomationTriggersListOptions): List<T.AutomationTrigger> {
    return listOf(this.core, { method: 'GET', path: '/v1/automation-triggers', key: 'company' }, 'cursor', options)
  }

  /**
   * Create many automation triggers.
   *
   * The key needs the permission `create` for all resources.
   */
  createMany(items: readonly T.AutomationTriggerCreateItem[], options?: AutomationTriggersCreateManyOptions): Promise<BulkResult<T.AutomationTriggerBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'POST', path: '/v1/automation-triggers', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Update many automation triggers.
   *
   * The key needs the permission `update` for all resources.
   */
  updateMany(items: readonly T.AutomationTriggerUpdateItem[], options?: AutomationTriggersUpdateManyOptions): Promise<BulkResult<T.AutomationTriggerBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'PATCH', path: '/v1/automation-triggers', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Delete many automation triggers.
   *
   * The key needs the permission `delete` for all resources.
   */
  deleteMany(items: readonly T.DeleteItem[], options?: AutomationTriggersDeleteManyOptions): Promise<BulkResult<T.DeleteBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'DELETE', path: '/v1/automation-triggers', key: 'company' }, items, options)
  }

  /**
   * Resend failed deliveries.
   *
   * Sends deliveries again whose `createdAt` is at or after `since` and whose `state` is `failed`, oldest first: at most 5,000 at once, and fewer if their responses are long. While `hasMore` is true, send the request again.
   *
   * The key needs the permission `create` for all resources.
   */
  redeliverFailed(id: string, body: T.Since, options?: WriteOptions): Call<T.Redelivered> {
    return this.core.call({ method: 'POST', path: `/v1/automation-trigger/${segment(id)}/redeliver`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Replay events.
   *
   * Sends all events since `since` that match the trigger again, in order, whether they were delivered or not; new ones follow. If there is none, nothing changes.
   *
   * The key needs the permission `create` for all resources.
   */
  replay(id: string, body: T.Since, options?: WriteOptions): Call<T.Replayed> {
    return this.core.call({ method: 'POST', path: `/v1/automation-trigger/${segment(id)}/replay`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Send a test event.
   *
   * Sends an event `automation-trigger.test` with the trigger as its data, to this trigger only. The event is not in the feed. The request takes no body.
   *
   * The key needs the permission `create` for all resources.
   */
  test(id: string, options?: WriteOptions): Call<T.WebhookDelivery> {
    return this.core.call({ method: 'POST', path: `/v1/automation-trigger/${segment(id)}/test`, key: 'company', isKeyed: true }, options)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.AutomationTrigger) => T.AutomationTriggerUpdate | undefined | Promise<T.AutomationTriggerUpdate | undefined>, options?: RequestOptions): Promise<T.AutomationTrigger> {
    return edit(
      (own) => this.get(id, own),
      (body: T.AutomationTriggerUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `sales.create` takes. */
export interface SalesCreateOptions extends WriteOptions {
  /** With `once`, a sale needs `source` and `externalId`, such as the till and the number of its receipt, and is made only if no order has both: a repeated request, whenever it comes, stores nothing and returns that order. A different sale under the same number, recognized by its `occurredAt`, gets 409. So does a sale whose number belongs to an order that was never sold, such as a parked one. The key also needs the permission `read`. */
  mode?: 'create' | 'once' | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `sales.createMany` takes. */
export interface SalesCreateManyOptions extends WriteOptions {
  /** With `once`, a sale needs `source` and `externalId`, such as the till and the number of its receipt, and is made only if no order has both: a repeated request, whenever it comes, stores nothing and returns that order. A different sale under the same number, recognized by its `occurredAt`, gets 409. So does a sale whose number belongs to an order that was never sold, such as a parked one. The key also needs the permission `read`. */
  mode?: 'create' | 'once' | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `sales.complete` takes. */
export interface SalesCompleteOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `sales.split` takes. */
export interface SalesSplitOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `sales.merge` takes. */
export interface SalesMergeOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `sales.payments` takes. */
export interface SalesPaymentsOptions extends WriteOptions, VersionOptions {
  /** With `once`, each payment needs an `externalId`, such as its number at the till or at the payment processor, and the payments are taken only if no transaction of the sale has these numbers: a repeated request, whenever it comes, stores nothing and returns the order. Other payments under the same numbers, recognized by their `occurredAt`, get 409. The key also needs the permission `read`. */
  mode?: 'create' | 'once' | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `sales.refund` takes. */
export interface SalesRefundOptions extends WriteOptions {
  /** With `once`, a refund needs `externalId`, such as its id at the payment processor, and is made only if the sale has no refund with it: a repeated request, whenever it comes, stores nothing and returns that refund. A different refund under the same number, recognized by its `occurredAt`, gets 409. The key also needs the permission `read`. */
  mode?: 'create' | 'once' | undefined
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `sales.void` takes. */
export interface SalesVoidOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** A whole sale in one request: the order, its payments, the stock that leaves the shelf and, if it is new, the customer. All of it is stored, or nothing. */
export class SalesApi extends Resource {
  /**
   * Make a sale.
   *
   * Stores the order, a transaction for each payment and, if you send one, the customer, and reduces the stock of managed variants at `outletId` (by default the outlet of its till): all of this, or nothing. A sale has at least one line. It raises the events of these records. By default `status` is `completed`, `occurredAt` is now, and `currency` is the company’s. Without `sessionId` the sale belongs to the open session of `stationId`, or else to the closed one during which it was made, or else to the one that was opened last before it.
   *
   * The key needs the permission `create` for `sale`.
   */
  create(body: T.SaleCreate, options?: SalesCreateOptions): Call<T.Sale> {
    return this.core.call({ method: 'POST', path: '/v1/sale', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Make many sales.
   *
   * Makes each sale as `POST /v1/sale` does, in the order of the items. A refused sale does not affect the others.
   *
   * The key needs the permission `create` for `sale`.
   */
  createMany(items: readonly T.SaleCreateItem[], options?: SalesCreateManyOptions): Promise<BulkResult<T.SaleBulkResult['results'][number]>> {
    return bulk(this.core, { method: 'POST', path: '/v1/sales', key: 'company', isKeyed: true }, items, options)
  }

  /**
   * Complete an open order.
   *
   * Turns a pending or parked order into a sale, as `POST /v1/sale` does with the same lines: its `status` becomes `completed`, `occurredAt` becomes the present time unless you send it, each payment becomes a transaction, and the goods of managed variants leave the stock. Amounts that the order lacks are computed. Transactions that it already has, such as a deposit, count as payments. A parked order with `parkReduceStock` moves no stock, since its goods left the shelf when it was parked. If two requests complete an order at once, one of them gets 409.
   *
   * The key needs the permission `update` for `sale`.
   */
  complete(orderId: string, body?: T.SaleCompletionCreate, options?: SalesCompleteOptions): Call<T.Sale> {
    return this.core.call({ method: 'POST', path: `/v1/sale/${segment(orderId)}/complete`, key: 'company', isKeyed: true }, options, body ?? {})
  }

  /**
   * Split an open order.
   *
   * Moves lines of a pending or parked order, whole or by quantity, to a new order with the same status, such as the part of a tab that one guest pays. Nothing is sold yet: complete both orders. Both have a cart discount and a tip by percentage; deposits, fees, delivery and a tip with an amount stay with the first order. Both orders are written, or neither. The response is 409 for an order with totals of its own, and for a part of a line with amounts of its own.
   *
   * The key needs the permission `update` for `sale`.
   */
  split(orderId: string, body: T.OrderSplitCreate, options?: SalesSplitOptions): Call<T.OrderSplitDone> {
    return this.core.call({ method: 'POST', path: `/v1/sale/${segment(orderId)}/split`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Merge two open orders.
   *
   * Moves all lines, fees, notes and transactions of another pending or parked order to this order, such as the tab of guests who join a table. The other order is cancelled and has no lines afterwards. All other members of this order stay. Nothing is sold yet. Both orders are written, or neither. The response is 409 if one of the orders has totals of its own, or if they differ in a value that applies to all lines, such as a cart discount.
   *
   * The key needs the permission `update` for `sale`.
   */
  merge(orderId: string, body: T.OrderMerge, options?: SalesMergeOptions): Call<T.OrdersMerged> {
    return this.core.call({ method: 'POST', path: `/v1/sale/${segment(orderId)}/merge`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Take payment for a sale.
   *
   * Takes payments for a sale that is not paid in full, such as one on account. Each becomes a transaction in the open session of the till; one of them may leave out its `amount` and then pays what is due, in cash rounded to the smallest coin. Change is computed as in a sale. The `tip` of a payment is added to the tip and the total of the order, unless they have it already. If two requests pay what is due at once, one of them gets 409. If `due` is below zero, which a cancelled order can have too, payments of the type `refund` pay it out.
   *
   * The key needs the permission `update` for `sale`.
   */
  payments(orderId: string, body: T.SalePaymentsCreate, options?: SalesPaymentsOptions): Call<T.SalePaid> {
    return this.core.call({ method: 'POST', path: `/v1/sale/${segment(orderId)}/payments`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Refund a sale.
   *
   * Takes back lines of the order, each by its position and quantity, or everything that is left. Stores the refund and a transaction for each repayment, returns the goods of managed variants to stock, and sets the order’s `status` to `refunded` or `partial-refund`. All refunds together add up to the sale, to the cent, and the last one also pays back what was paid beyond its total. If two requests refund the same units at once, one of them gets 409. So does a refund of a voided sale.
   *
   * The key needs the permission `update` for `sale`.
   */
  refund(orderId: string, body?: T.SaleRefundCreate, options?: SalesRefundOptions): Call<T.SaleRefunded> {
    return this.core.call({ method: 'POST', path: `/v1/sale/${segment(orderId)}/refund`, key: 'company', isKeyed: true }, options, body ?? {})
  }

  /**
   * Void a sale.
   *
   * Cancels a completed sale that was made by mistake: the `type` of its transactions becomes `void`, its `status` becomes `cancelled`, `voidedAt` is set, and the goods of managed variants return to stock. A sale can be voided once, whatever its `status` is set to afterwards. The response is 409 if the sale was voided before, if it has a refund, or if its session was closed.
   *
   * The key needs the permission `update` for `sale`.
   */
  void(orderId: string, body?: T.SaleVoid, options?: SalesVoidOptions): Call<T.SaleVoided> {
    return this.core.call({ method: 'POST', path: `/v1/sale/${segment(orderId)}/void`, key: 'company', isKeyed: true }, options, body ?? {})
  }

  /**
   * Quote a sale.
   *
   * Takes the body of `POST /v1/sale` and computes every amount: lines, discounts, taxes, totals, what is still due, change, and the rounding of cash. Lines without `taxes` get those of the tax table that applies. Nothing is stored.
   *
   * The key needs the permission `read` for `sale`.
   */
  quote(body: T.SaleCreate, options?: WriteOptions): Call<T.SaleQuote> {
    return this.core.call({ method: 'POST', path: '/v1/sale/quote', key: 'company', isKeyed: true }, options, body)
  }
}

/** What `webhookDeliveries.list` takes. */
export interface WebhookDeliveriesListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
  /** Only deliveries with this `state`. */
  state?: 'pending' | 'succeeded' | 'failed' | undefined
  /** Exactly this `eventType`. */
  eventType?: string | undefined
  /** Exactly this `eventId`. */
  eventId?: string | undefined
}

/** The delivery of an event to an automation trigger: its state, and each attempt with its time, status, duration and the beginning of the response. Deliveries are kept for 30 days. */
export class WebhookDeliveriesApi extends Resource {
  /**
   * List deliveries of an automation trigger.
   *
   * The newest first.
   *
   * The key needs the permission `read` for all resources.
   */
  list(id: string, options?: WebhookDeliveriesListOptions): List<T.WebhookDelivery> {
    return listOf(this.core, { method: 'GET', path: `/v1/automation-trigger/${segment(id)}/deliveries`, key: 'company' }, 'cursor', options)
  }

  /**
   * Read a delivery.
   *
   * The key needs the permission `read` for all resources.
   */
  get(id: string, deliveryId: string, options?: RequestOptions): Call<T.WebhookDelivery> {
    return this.core.call({ method: 'GET', path: `/v1/automation-trigger/${segment(id)}/deliveries/${segment(deliveryId)}`, key: 'company' }, options)
  }

  /**
   * Resend a delivery.
   *
   * Works in any state. The delivery is due at once, and the schedule of attempts starts again. Its event keeps the same id. The request takes no body.
   *
   * The key needs the permission `create` for all resources.
   */
  redeliver(id: string, deliveryId: string, options?: WriteOptions): Call<T.WebhookDelivery> {
    return this.core.call({ method: 'POST', path: `/v1/automation-trigger/${segment(id)}/deliveries/${segment(deliveryId)}/redeliver`, key: 'company', isKeyed: true }, options)
  }
}

/** What `events.list` takes. */
export interface EventsListOptions extends RequestOptions {
  /** Only events after this one: a `sequence`, or the `meta.nextCursor` of the previous page. With `latest`, only events from now on: the cursor of the response is where a reader begins that needs no earlier ones. The response is 400 if later events are no longer kept, or were lost in a restore of the database. */
  after?: string | number | undefined
  /** Only these types, separated by commas; `*` at the end matches anything: `customer.*,order.completed`. */
  type?: string | readonly string[] | undefined
  /** Only events of this resource, as in their member `resource`; for several, use `type`. An event must match all filters. */
  resource?: string | undefined
  /** Only events whose `recordId` is this id, or one of several, separated by commas: at most 100, such as a product and its variants. With `type`, only their events of these types. Events of `inventory.stock_changed` have the id of the inventory record; your own events have no `recordId`. */
  recordId?: string | readonly string[] | undefined
  /** Only events at this time or later. */
  since?: string | Date | undefined
  /** Maximum number of events; 0 means the default. A page of long events may be shorter. */
  limit?: number | undefined
  /** Seconds to wait for an event when there is none. */
  wait?: number | undefined
}

/** What `events.follow` takes. */
export interface EventsFollowOptions extends RequestOptions {
  /** Only these types, separated by commas; `*` at the end matches anything: `customer.*,order.completed`. */
  type?: string | readonly string[] | undefined
  /** Only events of this resource, as in their member `resource`; for several, use `type`. An event must match all filters. */
  resource?: string | undefined
  /** Only events whose `recordId` is this id, or one of several, separated by commas: at most 100, such as a product and its variants. With `type`, only their events of these types. Events of `inventory.stock_changed` have the id of the inventory record; your own events have no `recordId`. */
  recordId?: string | readonly string[] | undefined
  /** Only events at this time or later. */
  since?: string | Date | undefined
}

/** Every write stores an event in its own transaction: the record as written and, for a change, the previous values of the changed members. Types are `<resource>.created`, `.updated` and `.deleted`, besides `inventory.stock_changed`, `order.completed`, `order.refunded`, `session.opened`, `session.closed`, and `custom.<name>` for your own events. Events are kept for 30 days and read in one order. */
export class EventsApi extends Resource {
  /**
   * Read events.
   *
   * The events after `after`, oldest first; without it, from the oldest event that is kept. A client that continues from `meta.nextCursor`, which is always present, sees every event once and in order: no event is ever added before a cursor that was returned. `hasMore` says whether to continue at once; even then a page may be empty, if the filters exclude every event that was read.
   *
   * With `wait`, a request that finds no event waits for one, at most that many seconds.
   *
   * The key needs the permission `read` for `event`.
   */
  list(options?: EventsListOptions): List<T.Event> {
    return listOf(this.core, { method: 'GET', path: '/v1/events', key: 'company' }, 'after', options)
  }

  /**
   * Follow events.
   *
   * Events as they happen, as server-sent events: `id` is the cursor, `event` the type, `data` the event as `GET /v1/events` shows it. The stream continues after the header `Last-Event-ID`, or else after `after`; with neither, it begins at `since`, or with new events. A comment is sent every 15 seconds. The stream ends when the key is deleted or expires, when the company is suspended, when the server stops, or when too much unread data is waiting: reconnect with the last `id`, as clients of server-sent events do by themselves. The `EventSource` of browsers cannot send a key, since that is in a header.
   *
   * The key needs the permission `read` for `event`.
   */
  follow(cursor?: string | number, options?: EventsFollowOptions): Follow<T.Event> {
    return new Follow(this.core, { method: 'GET', path: '/v1/events/stream', key: 'company' }, cursor, options)
  }

  /**
   * Send a custom event.
   *
   * Its type is `custom.` followed by its name. It appears in the feed and is sent to triggers like any other event.
   *
   * The key needs the permission `create` for `event`.
   */
  send(body: T.CustomCreate, options?: WriteOptions): Call<T.Event> {
    return this.core.call({ method: 'POST', path: '/v1/events/custom', key: 'company', isKeyed: true }, options, body)
  }
}

/** What `reports.sales` takes. */
export interface ReportsSalesOptions extends RequestOptions {
  /** First day, in the report’s time zone; defaults to 29 days before the last one. */
  from?: string | undefined
  /** Last day; defaults to today. A report has at most 366 days. */
  to?: string | undefined
  /** The time zone of days and hours, by its IANA name; defaults to the company’s. */
  timezone?: string | undefined
  /** The hour at which days begin, for shops that close after midnight: with 4, a sale at 03:59 belongs to the day before, also in weeks and months. Defaults to the company’s `dayStartHour`, or else 0. */
  dayStartHour?: number | undefined
  /** One to three dimensions, separated by commas: `outletId`, `stationId`, `sessionId`, `employee`, `categoryId`, `productId`, `variantId`, `paymentMethod`, `taxRate`, `customerId`, `tag`, `hour`, `weekday`, `day`, `week`, `month`. `paymentMethod` cannot be combined with a dimension of lines (`productId`, `variantId`, `categoryId`, `taxRate`). At most 20000 groups. Combinations for which no sums are kept, such as `employee,productId`, read the records themselves, at most 50000 of a period. */
  groupBy?: string | readonly string[] | undefined
  /** Each group also has the sums of the period before. For whole calendar months that are over, this is the same number of months before them. For other periods, it begins as many whole weeks earlier as are needed for the two not to overlap, so it has the same weekdays. If the last day is not over, the period before ends at the same time of day, to the quarter of an hour. */
  compare?: 'previous' | undefined
  /** `csv` returns one line per group, with names beside ids. Texts that a spreadsheet could take for a formula begin with an apostrophe. While a report is incomplete, a request for `csv` gets 503. */
  format?: 'json' | 'csv' | undefined
}

/** What `reports.products` takes. */
export interface ReportsProductsOptions extends RequestOptions {
  /** First day, in the report’s time zone; defaults to 29 days before the last one. */
  from?: string | undefined
  /** Last day; defaults to today. A report has at most 366 days. */
  to?: string | undefined
  /** The time zone of days and hours, by its IANA name; defaults to the company’s. */
  timezone?: string | undefined
  /** The hour at which days begin, for shops that close after midnight: with 4, a sale at 03:59 belongs to the day before, also in weeks and months. Defaults to the company’s `dayStartHour`, or else 0. */
  dayStartHour?: number | undefined
  /** Maximum number of products; 0 means the default. */
  limit?: number | undefined
  /** The sum to sort by, the largest first. */
  sortBy?: 'total' | 'quantity' | undefined
}

/** What `reports.taxes` takes. */
export interface ReportsTaxesOptions extends RequestOptions {
  /** First day, in the report’s time zone; defaults to 29 days before the last one. */
  from?: string | undefined
  /** Last day; defaults to today. A report has at most 366 days. */
  to?: string | undefined
  /** The time zone of days and hours, by its IANA name; defaults to the company’s. */
  timezone?: string | undefined
  /** The hour at which days begin, for shops that close after midnight: with 4, a sale at 03:59 belongs to the day before, also in weeks and months. Defaults to the company’s `dayStartHour`, or else 0. */
  dayStartHour?: number | undefined
  /** Each group also has the sums of the period before. For whole calendar months that are over, this is the same number of months before them. For other periods, it begins as many whole weeks earlier as are needed for the two not to overlap, so it has the same weekdays. If the last day is not over, the period before ends at the same time of day, to the quarter of an hour. */
  compare?: 'previous' | undefined
  /** `csv` returns one line per group, with names beside ids. Texts that a spreadsheet could take for a formula begin with an apostrophe. While a report is incomplete, a request for `csv` gets 503. */
  format?: 'json' | 'csv' | undefined
}

/** What `reports.payments` takes. */
export interface ReportsPaymentsOptions extends RequestOptions {
  /** First day, in the report’s time zone; defaults to 29 days before the last one. */
  from?: string | undefined
  /** Last day; defaults to today. A report has at most 366 days. */
  to?: string | undefined
  /** The time zone of days and hours, by its IANA name; defaults to the company’s. */
  timezone?: string | undefined
  /** The hour at which days begin, for shops that close after midnight: with 4, a sale at 03:59 belongs to the day before, also in weeks and months. Defaults to the company’s `dayStartHour`, or else 0. */
  dayStartHour?: number | undefined
  /** Each group also has the sums of the period before. For whole calendar months that are over, this is the same number of months before them. For other periods, it begins as many whole weeks earlier as are needed for the two not to overlap, so it has the same weekdays. If the last day is not over, the period before ends at the same time of day, to the quarter of an hour. */
  compare?: 'previous' | undefined
  /** `csv` returns one line per group, with names beside ids. Texts that a spreadsheet could take for a formula begin with an apostrophe. While a report is incomplete, a request for `csv` gets 503. */
  format?: 'json' | 'csv' | undefined
}

/** What `reports.customers` takes. */
export interface ReportsCustomersOptions extends RequestOptions {
  /** First day, in the report’s time zone; defaults to 29 days before the last one. */
  from?: string | undefined
  /** Last day; defaults to today. A report has at most 366 days. */
  to?: string | undefined
  /** The time zone of days and hours, by its IANA name; defaults to the company’s. */
  timezone?: string | undefined
  /** The hour at which days begin, for shops that close after midnight: with 4, a sale at 03:59 belongs to the day before, also in weeks and months. Defaults to the company’s `dayStartHour`, or else 0. */
  dayStartHour?: number | undefined
  /** Each group also has the sums of the period before. For whole calendar months that are over, this is the same number of months before them. For other periods, it begins as many whole weeks earlier as are needed for the two not to overlap, so it has the same weekdays. If the last day is not over, the period before ends at the same time of day, to the quarter of an hour. */
  compare?: 'previous' | undefined
  /** `csv` returns one line per group, with names beside ids. Texts that a spreadsheet could take for a formula begin with an apostrophe. While a report is incomplete, a request for `csv` gets 503. */
  format?: 'json' | 'csv' | undefined
}

/** What `reports.journal` takes. */
export interface ReportsJournalOptions extends RequestOptions {
  /** First day, in the report’s time zone; defaults to 29 days before the last one. */
  from?: string | undefined
  /** Last day; defaults to today. A report has at most 366 days. */
  to?: string | undefined
  /** The time zone of days and hours, by its IANA name; defaults to the company’s. */
  timezone?: string | undefined
  /** The hour at which days begin, for shops that close after midnight: with 4, a sale at 03:59 belongs to the day before, also in weeks and months. Defaults to the company’s `dayStartHour`, or else 0. */
  dayStartHour?: number | undefined
  /** Ids of the products that are gift cards, separated by commas. They must be sold without tax. Their sales are in the account `gift-cards` instead of `sales`. */
  giftCards?: string | readonly string[] | undefined
  /** `csv` returns one line per entry. While the report is incomplete, a request for `csv` gets 503. */
  format?: 'json' | 'csv' | undefined
}

/** What `reports.lowStock` takes. */
export interface ReportsLowStockOptions extends RequestOptions {
  /** Only stock below this number. */
  below?: number | undefined
  /** Maximum number of records; 0 means the default. */
  limit?: number | undefined
}

/** The company’s sales by day, in its time zone and currency. Sums are exact and include every write that was answered before. The first report of a company with many records is computed from those records, newest first; until it reaches back far enough, `isComplete` is false. */
export class ReportsApi extends Resource {
  /**
   * Read the sales report.
   *
   * Payments and refunds by `occurredAt` (or else `createdAt`) of the transactions, and the number of orders, in total and for each day. A changed or deleted transaction counts in its current state. Transactions of other types, such as `void`, are not counted. With `groupBy` the answer has the sums of orders and refunds by these dimensions instead, for each currency.
   *
   * The key needs the permission `read` for `report`.
   */
  sales(options: ReportsSalesOptions & { format: 'csv' }): Call<string>
  sales(options?: ReportsSalesOptions): Call<T.SalesReportOrGroups>
  sales(options?: ReportsSalesOptions): Call<unknown> {
    return this.core.call({ method: 'GET', path: '/v1/reports/sales', key: 'company' }, options)
  }

  /**
   * Read the best-selling products.
   *
   * Sums of the lines of orders that are neither pending, parked nor cancelled and are in the company’s currency, by `occurredAt` (or else `createdAt`) of the orders. Lines without a `productId`, and lines after the 1,000th of an order, are left out; refunds are not subtracted. At most 100,000 different products in a period.
   *
   * The key needs the permission `read` for `report`.
   */
  products(options?: ReportsProductsOptions): Call<T.ProductsReport> {
    return this.core.call({ method: 'GET', path: '/v1/reports/products', key: 'company' }, options)
  }

  /**
   * Read the tax report.
   *
   * Sales and taxes by tax rate: the same as the report of sales with `groupBy=taxRate`.
   *
   * The key needs the permission `read` for `report`.
   */
  taxes(options: ReportsTaxesOptions & { format: 'csv' }): Call<string>
  taxes(options?: ReportsTaxesOptions): Call<T.SalesGroups>
  taxes(options?: ReportsTaxesOptions): Call<unknown> {
    return this.core.call({ method: 'GET', path: '/v1/reports/taxes', key: 'company' }, options)
  }

  /**
   * Read the payments report.
   *
   * What was paid and paid back by payment method: the same as the report of sales with `groupBy=paymentMethod`.
   *
   * The key needs the permission `read` for `report`.
   */
  payments(options: ReportsPaymentsOptions & { format: 'csv' }): Call<string>
  payments(options?: ReportsPaymentsOptions): Call<T.SalesGroups>
  payments(options?: ReportsPaymentsOptions): Call<unknown> {
    return this.core.call({ method: 'GET', path: '/v1/reports/payments', key: 'company' }, options)
  }

  /**
   * Read sales by customer.
   *
   * What each customer bought, the highest sales first: the same as the report of sales with `groupBy=customerId`.
   *
   * The key needs the permission `read` for `report`.
   */
  customers(options: ReportsCustomersOptions & { format: 'csv' }): Call<string>
  customers(options?: ReportsCustomersOptions): Call<T.SalesGroups>
  customers(options?: ReportsCustomersOptions): Call<unknown> {
    return this.core.call({ method: 'GET', path: '/v1/reports/customers', key: 'company' }, options)
  }

  /**
   * Read the journal.
   *
   * The bookkeeping entries of each day and outlet: revenue and tax by rate, tips, delivery, fees, gift cards, payments by method, receivables, cash movements, and what was over or short at closings. Debits equal credits. Each sale, refund and payment is booked on its own day, even if a till sends it later, so the entries of a past day can change. A period can have at most 20,000 entries of each kind, 20,000 cash movements and 20,000 closings.
   *
   * The key needs the permission `read` for `report`.
   */
  journal(options: ReportsJournalOptions & { format: 'csv' }): Call<string>
  journal(options?: ReportsJournalOptions): Call<T.JournalReport>
  journal(options?: ReportsJournalOptions): Call<unknown> {
    return this.core.call({ method: 'GET', path: '/v1/reports/journal', key: 'company' }, options)
  }

  /**
   * Read what a customer has bought.
   *
   * Lifetime sums of a customer, even of a deleted one, as of the last answered write. They add up the orders that name the customer and are neither pending, parked nor cancelled, and the refunds of these orders. `totalSpent` of the customer, which callers set, is not used. If the customer has more than 50,000 orders, the response is 409.
   *
   * The key needs the permission `read` for `report`.
   */
  customer(customerId: string, options?: RequestOptions): Call<T.CustomerSpending> {
    return this.core.call({ method: 'GET', path: `/v1/reports/customers/${segment(customerId)}`, key: 'company' }, options)
  }

  /**
   * Read the low-stock report.
   *
   * Live inventory records with stock below `below`, of variants whose `manageStock` is true, lowest stock first.
   *
   * The key needs the permission `read` for `report`.
   */
  lowStock(options?: ReportsLowStockOptions): Call<T.LowStockReport> {
    return this.core.call({ method: 'GET', path: '/v1/reports/low-stock', key: 'company' }, options)
  }

  /**
   * Read the value of the stock.
   *
   * The stock of variants whose `manageStock` is true, at cost and at current prices, as of now. Stock below zero counts as zero.
   *
   * The key needs the permission `read` for `report`.
   */
  stockValue(options?: RequestOptions): Call<T.StockValueReport> {
    return this.core.call({ method: 'GET', path: '/v1/reports/stock-value', key: 'company' }, options)
  }
}

/** What `imports.create` takes. */
export interface ImportsCreateOptions extends WriteOptions {
  /** The shop system that made the export; by default detected from the header. The kind of its records is always detected. */
  shop?: 'woocommerce' | 'shopify' | 'square' | 'lightspeed' | 'plain' | undefined
  /** The outlet whose stock the file sets; by default the outlet of each location that the file names, else the company’s first outlet. For orders, the outlet where they were made; none by default. */
  outletId?: string | undefined
  /** The file name to show to people. */
  fileName?: string | undefined
  /** Run the import automatically after the check. The key also needs the permission `update`. */
  run?: boolean | undefined
}

/** What `imports.list` takes. */
export interface ImportsListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
  /** Only imports with this `state`. */
  state?: 'checking' | 'ready' | 'running' | 'done' | 'failed' | 'cancelled' | 'undoing' | 'undone' | undefined
  /** Only imports of this `shop`. */
  shop?: 'woocommerce' | 'shopify' | 'square' | 'lightspeed' | 'plain' | undefined
  /** Only imports of this `kind`. */
  kind?: 'catalog' | 'stock' | 'customers' | 'orders' | undefined
}

/** What `imports.left` takes. */
export interface ImportsLeftOptions extends RequestOptions {
  /** Where the page begins, from the `Link` of the previous page. */
  after?: number | undefined
}

/** The CSV export of another shop: its catalogue (products, variants, categories, images, attributes, prices and stock), its customers, or its orders with payments and refunds, which move no stock. An import is first checked and shows what it would do; it runs only on request. It can run any number of times; records that are already up to date are not written again. Imports of one company run one after the other. An import and its file are kept for 7 days after its last check or run, and the import for 30 days if it wrote something: until then it can be undone, once. If a company has more than 500 MB of files, or 1,000 imports, the oldest are deleted sooner. A file has at most 500,000 rows and 2,000 columns; a file with more than 10,000 lines that cannot be imported, or more than 20,000 categories, is refused as a whole. */
export class ImportsApi extends Resource {
  /**
   * Upload a file to import.
   *
   * The body is a CSV file of at most 100 MB: the unchanged export of the products, stock, customers or orders of a shop, or a plain file of customers or orders. Its header says which; the guide `docs/guides/import.md` lists them. It must arrive within 15 minutes. Any other file is recognized by its beginning, and refused before the rest is read. Once the whole file has arrived, it is checked; the import is then `ready` until it is run. At most 20 imports of a company can be under way. An `Idempotency-Key` is bound to the query and to the whole file.
   *
   * The key needs the permission `create` for all resources.
   */
  create(body: string | Uint8Array<ArrayBuffer> | Blob, options?: ImportsCreateOptions): Call<T.Import> {
    return this.core.call({ method: 'POST', path: '/v1/imports', key: 'company', isKeyed: true, contentType: 'text/csv' }, options, body)
  }

  /**
   * List imports.
   *
   * The newest first.
   *
   * The key needs the permission `read` for all resources.
   */
  list(options?: ImportsListOptions): List<T.Import> {
    return listOf(this.core, { method: 'GET', path: '/v1/imports', key: 'company' }, 'cursor', options)
  }

  /**
   * Read an import.
   *
   * Its state and, while it is under way, its progress.
   *
   * The key needs the permission `read` for all resources.
   */
  get(id: string, options?: RequestOptions): Call<T.Import> {
    return this.core.call({ method: 'GET', path: `/v1/imports/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Delete an import.
   *
   * Deletes the import with its file; what it wrote stays, and can no longer be undone. An import that is under way has to be cancelled first.
   *
   * The key needs the permission `delete` for all resources.
   */
  delete(id: string, options?: RequestOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/imports/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Read the preview of an import.
   *
   * How its columns are mapped, and its first products, customers or orders as they would be after a run. Available once the import has been checked.
   *
   * The key needs the permission `read` for all resources.
   */
  preview(id: string, options?: RequestOptions): Call<T.ImportPreview> {
    return this.core.call({ method: 'GET', path: `/v1/imports/${segment(id)}/preview`, key: 'company' }, options)
  }

  /**
   * Read the refused lines of an import.
   *
   * A CSV file with the number of each line (the header is line 1), the column if there is one, and the reason. After a check, it has the lines that would not be imported; after the run, those that were not.
   *
   * The key needs the permission `read` for all resources.
   */
  refused(id: string, options?: RequestOptions): Call<string> {
    return this.core.call({ method: 'GET', path: `/v1/imports/${segment(id)}/refused`, key: 'company' }, options)
  }

  /**
   * Choose outlets for the locations of an import.
   *
   * Stores the chosen outlets, and checks the file again. The import must be `ready`; its state is then `checking`, and afterwards `ready` with a new preview.
   *
   * The key needs the permission `create` for all resources.
   */
  check(id: string, body: T.ImportCheck, options?: WriteOptions): Call<T.Import> {
    return this.core.call({ method: 'POST', path: `/v1/imports/${segment(id)}/check`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Run an import.
   *
   * The run waits for its turn, and writes what differs. An import that is done, failed or cancelled can be run again; records that it has already written stay unchanged. A run changes existing records, so the key also needs the permission `update`. The body may be left out.
   *
   * The key needs the permission `create` for all resources.
   */
  run(id: string, body?: T.ImportRun, options?: WriteOptions): Call<T.Import> {
    return this.core.call({ method: 'POST', path: `/v1/imports/${segment(id)}/run`, key: 'company', isKeyed: true }, options, body ?? {})
  }

  /**
   * Cancel an import.
   *
   * Once the request is answered, nothing more is written; what was written stays, as `summary` shows. The request takes no body.
   *
   * The key needs the permission `create` for all resources.
   */
  cancel(id: string, options?: WriteOptions): Call<T.Import> {
    return this.core.call({ method: 'POST', path: `/v1/imports/${segment(id)}/cancel`, key: 'company', isKeyed: true }, options)
  }

  /**
   * Undo an import.
   *
   * An import can be undone once, within 30 days after the run. Records that it created are deleted and records that it changed are restored; each raises an event, like any write. Records that were changed since are left as they are, and listed. Stock is set back only if it has not moved since. The undo waits for its turn like a run: the state is `undoing`, then `undone`. The key also needs the permissions `update` and `delete`. The request takes no body.
   *
   * The key needs the permission `create` for all resources.
   */
  undo(id: string, options?: WriteOptions): Call<T.Import> {
    return this.core.call({ method: 'POST', path: `/v1/imports/${segment(id)}/undo`, key: 'company', isKeyed: true }, options)
  }

  /**
   * Read what an undo would do, or did.
   *
   * Before the undo: what it would do now; records that change before the undo reaches them stay as they are. Once the undo has begun: what it has done so far.
   *
   * The key needs the permission `read` for all resources.
   */
  previewUndo(id: string, options?: RequestOptions): Call<T.ImportUndo> {
    return this.core.call({ method: 'GET', path: `/v1/imports/${segment(id)}/undo`, key: 'company' }, options)
  }

  /**
   * Read what an undo left.
   *
   * A CSV file with each record that was left and the reason: it was changed since the import, its stock has moved, it was already deleted, or other records use it. At most 10,000 lines per response; if there are more, the header `Link` (RFC 8288) names the next page.
   *
   * The key needs the permission `read` for all resources.
   */
  left(id: string, options?: ImportsLeftOptions): Call<string> {
    return this.core.call({ method: 'GET', path: `/v1/imports/${segment(id)}/left`, key: 'company' }, options)
  }
}

/** What `exports.list` takes. */
export interface ExportsListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
  /** Only exports with this `state`. */
  state?: 'running' | 'done' | 'failed' | undefined
}

/** All data of a company in one file: NDJSON with a first line that describes the file, a line for each row, and a last line with the SHA-256 of everything before it. `cashwrap company import` creates the company from it on another server, with its ids and keys. The guide `docs/guides/leaving-and-moving.md` describes the file. It contains personal data and the hashes of keys, but no secrets of automation triggers. An export is one snapshot; the service continues to work while it is written. Exports and their files are kept for 7 days, and only the newest 5 of a company. */
export class ExportsApi extends Resource {
  /**
   * Export the company.
   *
   * Writes everything that the company has to a file, in the background. At most 2 exports of a company can be under way. The request takes no body.
   *
   * The key needs the permissions `create` and `read` for all resources.
   */
  create(options?: WriteOptions): Call<T.Export> {
    return this.core.call({ method: 'POST', path: '/v1/exports', key: 'company', isKeyed: true }, options)
  }

  /**
   * List exports.
   *
   * The newest first.
   *
   * The key needs the permissions `create` and `read` for all resources.
   */
  list(options?: ExportsListOptions): List<T.Export> {
    return listOf(this.core, { method: 'GET', path: '/v1/exports', key: 'company' }, 'cursor', options)
  }

  /**
   * Read an export.
   *
   * Its state and, while it is written, its progress.
   *
   * The key needs the permissions `create` and `read` for all resources.
   */
  get(id: string, options?: RequestOptions): Call<T.Export> {
    return this.core.call({ method: 'GET', path: `/v1/exports/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Download the file of an export.
   *
   * The file that `cashwrap company import` takes. Compare its SHA-256 with `sha256` of the export. The connection is cut if the key is deleted meanwhile.
   *
   * The key needs the permissions `create` and `read` for all resources.
   */
  download(id: string, options?: RequestOptions): Call<ReadableStream<Uint8Array>> {
    return this.core.call({ method: 'GET', path: `/v1/exports/${segment(id)}/file`, key: 'company', isFile: true }, options)
  }
}

/** What `customTables.create` takes. */
export interface CustomTablesCreateOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `customTables.update` takes. */
export interface CustomTablesUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `customTables.delete` takes. */
export interface CustomTablesDeleteOptions extends RequestOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `customTables.list` takes. */
export interface CustomTablesListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** Also return the number of all records, in the header X-Total-Count. */
  total?: boolean | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
}

/** A table of the company’s own. Its columns are custom table fields; its rows are read and written by column names under `/v1/api/custom-table-data/{tableName}`. Deleting it deletes its fields, rows and values, at once for readers and soon after from the disk; it raises one event. */
export class CustomTablesApi extends Resource {
  /**
   * Create a custom table (Style A).
   *
   * The key needs the permission `create` for `custom-table`.
   */
  create(body: T.CustomTableCreate, options?: CustomTablesCreateOptions): Call<T.CustomTable> {
    return this.core.call({ method: 'POST', path: '/v1/api/custom-table', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Read a custom table (Style A).
   *
   * The key needs the permission `read` for `custom-table`.
   */
  get(id: string, options?: RequestOptions): Call<T.CustomTable> {
    return this.core.call({ method: 'GET', path: `/v1/api/custom-table/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Update a custom table (Style A).
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member.
   *
   * The key needs the permission `update` for `custom-table`.
   */
  update(id: string, body: T.CustomTableUpdate, options?: CustomTablesUpdateOptions): Call<T.CustomTable> {
    return this.core.call({ method: 'PUT', path: `/v1/api/custom-table/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Delete a custom table (Style A).
   *
   * The key needs the permission `delete` for `custom-table`.
   */
  delete(id: string, options?: CustomTablesDeleteOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/api/custom-table/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * List custom tables (Style A).
   *
   * In the order in which they were created.
   *
   * The key needs the permission `read` for `custom-table`.
   */
  list(options?: CustomTablesListOptions): List<T.CustomTable> {
    return listOf(this.core, { method: 'GET', path: '/v1/api/custom-tables', key: 'company' }, 'skip', options)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.CustomTable) => T.CustomTableUpdate | undefined | Promise<T.CustomTableUpdate | undefined>, options?: RequestOptions): Promise<T.CustomTable> {
    return edit(
      (own) => this.get(id, own),
      (body: T.CustomTableUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `customTableFields.create` takes. */
export interface CustomTableFieldsCreateOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `customTableFields.update` takes. */
export interface CustomTableFieldsUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `customTableFields.delete` takes. */
export interface CustomTableFieldsDeleteOptions extends RequestOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `customTableFields.list` takes. */
export interface CustomTableFieldsListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** Exactly this `tableId`. */
  tableId: string
  /** Also return the number of all records, in the header X-Total-Count. */
  total?: boolean | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
}

/** A column of a custom table. Its type cannot be changed while it has values (409); a new name takes effect everywhere at once. Deleting it deletes its values. */
export class CustomTableFieldsApi extends Resource {
  /**
   * Create a custom table field (Style A).
   *
   * The key needs the permission `create` for `custom-table-field`.
   */
  create(body: T.CustomTableFieldCreate, options?: CustomTableFieldsCreateOptions): Call<T.CustomTableField> {
    return this.core.call({ method: 'POST', path: '/v1/api/custom-table-field', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Read a custom table field (Style A).
   *
   * The key needs the permission `read` for `custom-table-field`.
   */
  get(id: string, options?: RequestOptions): Call<T.CustomTableField> {
    return this.core.call({ method: 'GET', path: `/v1/api/custom-table-field/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Update a custom table field (Style A).
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member.
   *
   * The key needs the permission `update` for `custom-table-field`.
   */
  update(id: string, body: T.CustomTableFieldUpdate, options?: CustomTableFieldsUpdateOptions): Call<T.CustomTableField> {
    return this.core.call({ method: 'PUT', path: `/v1/api/custom-table-field/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Delete a custom table field (Style A).
   *
   * The key needs the permission `delete` for `custom-table-field`.
   */
  delete(id: string, options?: CustomTableFieldsDeleteOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/api/custom-table-field/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * List custom table fields (Style A).
   *
   * In the order in which they were created.
   *
   * The key needs the permission `read` for `custom-table-field`.
   */
  list(options: CustomTableFieldsListOptions): List<T.CustomTableField> {
    return listOf(this.core, { method: 'GET', path: '/v1/api/custom-table-fields', key: 'company' }, 'skip', options)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.CustomTableField) => T.CustomTableFieldUpdate | undefined | Promise<T.CustomTableFieldUpdate | undefined>, options?: RequestOptions): Promise<T.CustomTableField> {
    return edit(
      (own) => this.get(id, own),
      (body: T.CustomTableFieldUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `customTableData.create` takes. */
export interface CustomTableDataCreateOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `customTableData.list` takes. */
export interface CustomTableDataListOptions extends RequestOptions {
  /** Rows to skip. */
  skip?: number | undefined
  /** Maximum number of rows; 0 means 100. Without it, all rows are returned. */
  limit?: number | undefined
  /** Also count all rows, in the header X-Total-Count. */
  total?: boolean | undefined
}

/** What `customTableData.update` takes. */
export interface CustomTableDataUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `customTableData.delete` takes. */
export interface CustomTableDataDeleteOptions extends RequestOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** Rows of a custom table, addressed by its name, with their columns by name in JSON types: strings, numbers, booleans, date-times, and strings that hold JSON. Columns are in the order in which their fields were created; empty ones are left out. Each write raises an event of the row. */
export class CustomTableDataApi extends Resource {
  /**
   * Create a row.
   *
   * Columns that are not sent get their default.
   *
   * The key needs the permission `create` for `custom-table-data`.
   */
  create(tableName: string, body: T.CustomTableDataBody, options?: CustomTableDataCreateOptions): Call<T.CustomTableDataRowId> {
    return this.core.call({ method: 'POST', path: `/v1/api/custom-table-data/${segment(tableName)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * List rows.
   *
   * All rows in creation order. Without `limit`, the whole table is streamed in one response.
   *
   * The key needs the permission `read` for `custom-table-data`.
   */
  list(tableName: string, options?: CustomTableDataListOptions): List<T.CustomTableDataRow> {
    return listOf(this.core, { method: 'GET', path: `/v1/api/custom-table-data/${segment(tableName)}`, key: 'company' }, 'skip', options)
  }

  /**
   * Read a row.
   *
   * The key needs the permission `read` for `custom-table-data`.
   */
  get(tableName: string, rowId: string, options?: RequestOptions): Call<T.CustomTableDataRow> {
    return this.core.call({ method: 'GET', path: `/v1/api/custom-table-data/${segment(tableName)}/${segment(rowId)}`, key: 'company' }, options)
  }

  /**
   * Update a row.
   *
   * Columns that you send replace the stored ones; others keep their values; `null` clears a column that is not required.
   *
   * The key needs the permission `update` for `custom-table-data`.
   */
  update(tableName: string, rowId: string, body: T.CustomTableDataBody, options?: CustomTableDataUpdateOptions): Call<T.CustomTableDataRowId> {
    return this.core.call({ method: 'PUT', path: `/v1/api/custom-table-data/${segment(tableName)}/${segment(rowId)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Delete a row.
   *
   * The row and its values are flagged and kept; these paths no longer find them.
   *
   * The key needs the permission `delete` for `custom-table-data`.
   */
  delete(tableName: string, rowId: string, options?: CustomTableDataDeleteOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/api/custom-table-data/${segment(tableName)}/${segment(rowId)}`, key: 'company' }, options)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(tableName: string, rowId: string, change: (record: T.CustomTableDataRow) => T.CustomTableDataBody | undefined | Promise<T.CustomTableDataBody | undefined>, options?: RequestOptions): Promise<T.CustomTableDataRow | T.CustomTableDataRowId> {
    return edit(
      (own) => this.get(tableName, rowId, own),
      (body: T.CustomTableDataBody, own) => this.update(tableName, rowId, body, own),
      change,
      options,
    )
  }
}

/** What `customTableRows.create` takes. */
export interface CustomTableRowsCreateOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `customTableRows.update` takes. */
export interface CustomTableRowsUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `customTableRows.delete` takes. */
export interface CustomTableRowsDeleteOptions extends RequestOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `customTableRows.list` takes. */
export interface CustomTableRowsListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** Exactly this `tableId`. */
  tableId?: string | undefined
  /** Also return the number of all records, in the header X-Total-Count. */
  total?: boolean | undefined
  /** Also return soft-deleted records. */
  includeDeleted?: boolean | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
}

/** A row of a custom table, without its columns: each column is a value, a record of its own. A row that is created here has no values yet, neither defaults nor required ones. Deleting flags the row and its values, and keeps them. */
export class CustomTableRowsApi extends Resource {
  /**
   * Create a custom table row (Style A).
   *
   * The key needs the permission `create` for `custom-table-row`.
   */
  create(body: T.CustomTableRowCreate, options?: CustomTableRowsCreateOptions): Call<T.CustomTableRow> {
    return this.core.call({ method: 'POST', path: '/v1/api/custom-table-row', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Read a custom table row (Style A).
   *
   * The key needs the permission `read` for `custom-table-row`.
   */
  get(id: string, options?: RequestOptions): Call<T.CustomTableRow> {
    return this.core.call({ method: 'GET', path: `/v1/api/custom-table-row/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Update a custom table row (Style A).
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member.
   *
   * The key needs the permission `update` for `custom-table-row`.
   */
  update(id: string, body: T.CustomTableRowUpdate, options?: CustomTableRowsUpdateOptions): Call<T.CustomTableRow> {
    return this.core.call({ method: 'PUT', path: `/v1/api/custom-table-row/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Delete a custom table row (Style A).
   *
   * The key needs the permission `delete` for `custom-table-row`.
   */
  delete(id: string, options?: CustomTableRowsDeleteOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/api/custom-table-row/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * List custom table rows (Style A).
   *
   * In the order in which they were created.
   *
   * The key needs the permission `read` for `custom-table-row`.
   */
  list(options?: CustomTableRowsListOptions): List<T.CustomTableRow> {
    return listOf(this.core, { method: 'GET', path: '/v1/api/custom-table-rows', key: 'company' }, 'skip', options)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.CustomTableRow) => T.CustomTableRowUpdate | undefined | Promise<T.CustomTableRowUpdate | undefined>, options?: RequestOptions): Promise<T.CustomTableRow> {
    return edit(
      (own) => this.get(id, own),
      (body: T.CustomTableRowUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `customTableValues.create` takes. */
export interface CustomTableValuesCreateOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `customTableValues.update` takes. */
export interface CustomTableValuesUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `customTableValues.delete` takes. */
export interface CustomTableValuesDeleteOptions extends RequestOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `customTableValues.list` takes. */
export interface CustomTableValuesListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** Exactly this `tableId`. */
  tableId?: string | undefined
  /** Exactly this `rowId`. */
  rowId?: string | undefined
  /** Also return the number of all records, in the header X-Total-Count. */
  total?: boolean | undefined
  /** Also return soft-deleted records. */
  includeDeleted?: boolean | undefined
  /** Also return the `ETag` of each record, as its member `etag`. */
  etags?: boolean | undefined
}

/** The value of one column in one row: a string, whatever the column’s type, in the canonical form of that type (`12.5`, `true`, `2026-11-21T09:30:00.000Z`). A row has one live value of each field. Deleting flags the value and keeps it; the cell is then empty. */
export class CustomTableValuesApi extends Resource {
  /**
   * Create a custom table value (Style A).
   *
   * The key needs the permission `create` for `custom-table-value`.
   */
  create(body: T.CustomTableValueCreate, options?: CustomTableValuesCreateOptions): Call<T.CustomTableValue> {
    return this.core.call({ method: 'POST', path: '/v1/api/custom-table-value', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Read a custom table value (Style A).
   *
   * The key needs the permission `read` for `custom-table-value`.
   */
  get(id: string, options?: RequestOptions): Call<T.CustomTableValue> {
    return this.core.call({ method: 'GET', path: `/v1/api/custom-table-value/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Update a custom table value (Style A).
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member.
   *
   * The key needs the permission `update` for `custom-table-value`.
   */
  update(id: string, body: T.CustomTableValueUpdate, options?: CustomTableValuesUpdateOptions): Call<T.CustomTableValue> {
    return this.core.call({ method: 'PUT', path: `/v1/api/custom-table-value/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Delete a custom table value (Style A).
   *
   * The key needs the permission `delete` for `custom-table-value`.
   */
  delete(id: string, options?: CustomTableValuesDeleteOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/api/custom-table-value/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * List custom table values (Style A).
   *
   * In the order in which they were created.
   *
   * The key needs the permission `read` for `custom-table-value`.
   */
  list(options?: CustomTableValuesListOptions): List<T.CustomTableValue> {
    return listOf(this.core, { method: 'GET', path: '/v1/api/custom-table-values', key: 'company' }, 'skip', options)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.CustomTableValue) => T.CustomTableValueUpdate | undefined | Promise<T.CustomTableValueUpdate | undefined>, options?: RequestOptions): Promise<T.CustomTableValue> {
    return edit(
      (own) => this.get(id, own),
      (body: T.CustomTableValueUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `company.update` takes. */
export interface CompanyUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** The company of a key, and its settings. Its organization and its owners can change it. */
export class CompanyApi extends Resource {
  /**
   * Read the company of the key.
   *
   * The key needs the permission `read` for `company`.
   */
  get(options?: RequestOptions): Call<T.OwnCompany> {
    return this.core.call({ method: 'GET', path: '/v1/company', key: 'company' }, options)
  }

  /**
   * Update the company.
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member. Only its organization can change the plan, the status and `externalId`.
   *
   * Requires a signed-in user with at least the role `owner`; not available to keys.
   */
  update(body: T.OwnCompanyUpdate, options?: CompanyUpdateOptions): Call<T.OwnCompany> {
    return this.core.call({ method: 'PATCH', path: '/v1/company', key: 'company', isKeyed: true }, options, body)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(change: (record: T.OwnCompany) => T.OwnCompanyUpdate | undefined | Promise<T.OwnCompanyUpdate | undefined>, options?: RequestOptions): Promise<T.OwnCompany> {
    return edit(
      (own) => this.get(own),
      (body: T.OwnCompanyUpdate, own) => this.update(body, own),
      change,
      options,
    )
  }
}

/** What `companies.list` takes. */
export interface CompaniesListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | 'name' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Words that `name` contains, in any order, ignoring case. At most 8 different words. */
  search?: string | undefined
  /** Part of `name`, ignoring case. */
  searchByName?: string | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
  /** Exactly this `status`. */
  status?: 'active' | 'suspended' | undefined
  /** Exactly this `externalId`. */
  externalId?: string | undefined
  /** Exactly this `planId`. */
  planId?: string | undefined
}

/** What `companies.update` takes. */
export interface CompaniesUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `companies.onboard` takes. */
export interface CompaniesOnboardOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `companies.onboardIn` takes. */
export interface CompaniesOnboardInOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** The companies of an organization. These routes take an organization’s key. */
export class CompaniesApi extends Resource {
  /**
   * List companies.
   *
   * The key needs the permission `read`.
   */
  list(options?: CompaniesListOptions): List<T.Company> {
    return listOf(this.core, { method: 'GET', path: '/v1/organization-api/companies', key: 'organization' }, 'cursor', options)
  }

  /**
   * Read a company.
   *
   * The key needs the permission `read`.
   */
  get(id: string, options?: RequestOptions): Call<T.Company> {
    return this.core.call({ method: 'GET', path: `/v1/organization-api/companies/${segment(id)}`, key: 'organization' }, options)
  }

  /**
   * Update, suspend or unsuspend a company.
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member. With `status` `suspended`, every key of the company gets 403 `permission_denied` with `suspendedReason`, at once and on every server; with `active`, its keys work again.
   *
   * The key needs the permission `update`.
   */
  update(id: string, body: T.CompanyUpdate, options?: CompaniesUpdateOptions): Call<T.Company> {
    return this.core.call({ method: 'PATCH', path: `/v1/organization-api/companies/${segment(id)}`, key: 'organization', isKeyed: true }, options, body)
  }

  /**
   * Onboard a company.
   *
   * Creates, all or nothing: the company, on the named plan or else the default plan; its account, with its e-mail address; its first outlet; and the roles Owner, Admin and Cashier. The organization needs an owner, whose e-mail address is used if none is sent.
   *
   * The key needs the permission `create`.
   */
  onboard(body: T.OnboardingCreate, options?: CompaniesOnboardOptions): Call<T.OnboardedCompany> {
    return this.core.call({ method: 'POST', path: '/v1/organization-api/company/company-workflow/onboard', key: 'organization', isKeyed: true }, options, body)
  }

  /**
   * Onboard a company of an organization by its id.
   *
   * Creates, all or nothing: the company, on the named plan or else the default plan; its account, with its e-mail address; its first outlet; and the roles Owner, Admin and Cashier. The organization needs an owner, whose e-mail address is used if none is sent.
   *
   * The key needs the permission `create`.
   */
  onboardIn(organizationId: string, body: T.OnboardingCreate, options?: CompaniesOnboardInOptions): Call<T.OnboardedCompany> {
    return this.core.call({ method: 'POST', path: `/v1/organization-api/company/company-workflow/onboard/${segment(organizationId)}`, key: 'organization', isKeyed: true }, options, body)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.Company) => T.CompanyUpdate | undefined | Promise<T.CompanyUpdate | undefined>, options?: RequestOptions): Promise<T.Company> {
    return edit(
      (own) => this.get(id, own),
      (body: T.CompanyUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `settings.update` takes. */
export interface SettingsUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** The company of a key, and its settings. Its organization and its owners can change it. */
export class SettingsApi extends Resource {
  /**
   * Read the settings of the company.
   *
   * The key needs the permission `read` for `setting`.
   */
  get(options?: RequestOptions): Call<T.Settings> {
    return this.core.call({ method: 'GET', path: '/v1/settings', key: 'company' }, options)
  }

  /**
   * Change the settings of the company.
   *
   * Switching `oneOpenSession` on is refused with 409 `conflict` while a station has several open sessions; `errors` names each station and its open sessions.
   *
   * The key needs the permission `update` for `setting`.
   */
  update(body: T.SettingsUpdate, options?: SettingsUpdateOptions): Call<T.Settings> {
    return this.core.call({ method: 'PATCH', path: '/v1/settings', key: 'company', isKeyed: true }, options, body)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(change: (record: T.Settings) => T.SettingsUpdate | undefined | Promise<T.SettingsUpdate | undefined>, options?: RequestOptions): Promise<T.Settings> {
    return edit(
      (own) => this.get(own),
      (body: T.SettingsUpdate, own) => this.update(body, own),
      change,
      options,
    )
  }
}

/** What `keys.list` takes. */
export interface KeysListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'name' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Words that `name` contains, in any order, ignoring case. At most 8 different words. */
  search?: string | undefined
  /** Part of `name`, ignoring case. */
  searchByName?: string | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
}

/** What `keys.requests` takes. */
export interface KeysRequestsOptions extends RequestOptions {
  /** Only requests with this status, such as `404`, or of this class, such as `4xx`. */
  status?: string | undefined
  /** How many requests to return at most. */
  limit?: number | undefined
}

/** The keys of an organization and of its companies, created with an organization’s key, or by the company’s members. A key’s value is shown once. */
export class KeysApi extends Resource {
  /**
   * Create a key of your company.
   *
   * Requires a signed-in user with at least the role `admin`; not available to keys.
   */
  create(body: T.KeyCreate, options?: WriteOptions): Call<T.NewKey> {
    return this.core.call({ method: 'POST', path: '/v1/keys', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * List the keys of your company.
   *
   * Requires a signed-in user with at least the role `admin`; not available to keys.
   */
  list(options?: KeysListOptions): List<T.Key> {
    return listOf(this.core, { method: 'GET', path: '/v1/keys', key: 'company' }, 'cursor', options)
  }

  /**
   * Delete a key of your company.
   *
   * Requires a signed-in user with at least the role `admin`; not available to keys.
   */
  delete(id: string, options?: RequestOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/keys/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Rotate a key of your company.
   *
   * Creates a key with the same name, permissions, resources and expiry, and deletes the old one: at once, or at `deleteOldAt`, so that there is time to distribute the new key. Until then the old key shows `deleteAt`; after that it is refused.
   *
   * Requires a signed-in user with at least the role `admin`; not available to keys.
   */
  rotate(id: string, body: T.KeyRotation, options?: WriteOptions): Call<T.RotatedKey> {
    return this.core.call({ method: 'POST', path: `/v1/keys/${segment(id)}/rotate`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * List recent requests made with a key.
   *
   * The last 1,000 requests of the key within 30 days, including refused ones, but without bodies, headers and values that may name a person. A request appears within seconds. Under heavy load some are left out, and a crash loses all of them.
   *
   * Requires a signed-in user with at least the role `admin`; not available to keys.
   */
  requests(id: string, options?: KeysRequestsOptions): Call<T.KeyRequests> {
    return this.core.call({ method: 'GET', path: `/v1/keys/${segment(id)}/requests`, key: 'company' }, options)
  }
}

/** What `companyKeys.list` takes. */
export interface CompanyKeysListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'name' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Words that `name` contains, in any order, ignoring case. At most 8 different words. */
  search?: string | undefined
  /** Part of `name`, ignoring case. */
  searchByName?: string | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
}

/** What `companyKeys.requests` takes. */
export interface CompanyKeysRequestsOptions extends RequestOptions {
  /** Only requests with this status, such as `404`, or of this class, such as `4xx`. */
  status?: string | undefined
  /** How many requests to return at most. */
  limit?: number | undefined
}

/** The keys of an organization and of its companies, created with an organization’s key, or by the company’s members. A key’s value is shown once. */
export class CompanyKeysApi extends Resource {
  /**
   * Create a key of a company.
   *
   * The new key can have only permissions of the requesting key; a key that expires cannot create one that is valid for longer. The answer stored under an `Idempotency-Key` is returned only to the key that sent it first.
   *
   * The key needs the permission `create`.
   */
  create(id: string, body: T.KeyCreate, options?: WriteOptions): Call<T.NewKey> {
    return this.core.call({ method: 'POST', path: `/v1/organization-api/companies/${segment(id)}/keys`, key: 'organization', isKeyed: true }, options, body)
  }

  /**
   * List the keys of a company.
   *
   * The key needs the permission `read`.
   */
  list(id: string, options?: CompanyKeysListOptions): List<T.Key> {
    return listOf(this.core, { method: 'GET', path: `/v1/organization-api/companies/${segment(id)}/keys`, key: 'organization' }, 'cursor', options)
  }

  /**
   * Delete a key of a company.
   *
   * The key needs the permission `delete`.
   */
  delete(id: string, keyId: string, options?: RequestOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/organization-api/companies/${segment(id)}/keys/${segment(keyId)}`, key: 'organization' }, options)
  }

  /**
   * Rotate a key of a company.
   *
   * Creates a key with the same name, permissions, resources and expiry, and deletes the old one: at once, or at `deleteOldAt`, so that there is time to distribute the new key. Until then the old key shows `deleteAt`; after that it is refused.
   *
   * The key needs the permission `create`.
   */
  rotate(id: string, keyId: string, body: T.KeyRotation, options?: WriteOptions): Call<T.RotatedKey> {
    return this.core.call({ method: 'POST', path: `/v1/organization-api/companies/${segment(id)}/keys/${segment(keyId)}/rotate`, key: 'organization', isKeyed: true }, options, body)
  }

  /**
   * List recent requests made with a key of a company.
   *
   * The last 1,000 requests of the key within 30 days, including refused ones, but without bodies, headers and values that may name a person. A request appears within seconds. Under heavy load some are left out, and a crash loses all of them.
   *
   * The key needs the permission `read`.
   */
  requests(id: string, keyId: string, options?: CompanyKeysRequestsOptions): Call<T.KeyRequests> {
    return this.core.call({ method: 'GET', path: `/v1/organization-api/companies/${segment(id)}/keys/${segment(keyId)}/requests`, key: 'organization' }, options)
  }
}

/** What `organizationKeys.list` takes. */
export interface OrganizationKeysListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'name' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Words that `name` contains, in any order, ignoring case. At most 8 different words. */
  search?: string | undefined
  /** Part of `name`, ignoring case. */
  searchByName?: string | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
}

/** The keys of an organization and of its companies, created with an organization’s key, or by the company’s members. A key’s value is shown once. */
export class OrganizationKeysApi extends Resource {
  /**
   * Create a key of the organization.
   *
   * The new key can have only permissions of the requesting key; a key that expires cannot create one that is valid for longer. The answer stored under an `Idempotency-Key` is returned only to the key that sent it first.
   *
   * The key needs the permission `create`.
   */
  create(body: T.KeyCreate, options?: WriteOptions): Call<T.NewKey> {
    return this.core.call({ method: 'POST', path: '/v1/organization-api/keys', key: 'organization', isKeyed: true }, options, body)
  }

  /**
   * List the keys of the organization.
   *
   * The key needs the permission `read`.
   */
  list(options?: OrganizationKeysListOptions): List<T.Key> {
    return listOf(this.core, { method: 'GET', path: '/v1/organization-api/keys', key: 'organization' }, 'cursor', options)
  }

  /**
   * Delete a key of the organization.
   *
   * A key cannot delete itself. The last key that may create and does not expire cannot be deleted either, so that the organization is never locked out.
   *
   * The key needs the permission `delete`.
   */
  delete(id: string, options?: RequestOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/organization-api/keys/${segment(id)}`, key: 'organization' }, options)
  }

  /**
   * Rotate a key of the organization.
   *
   * Creates a key with the same name, permissions, resources and expiry, and deletes the old one: at once, or at `deleteOldAt`, so that there is time to distribute the new key. Until then the old key shows `deleteAt`; after that it is refused.
   *
   * The key needs the permission `create`.
   */
  rotate(id: string, body: T.KeyRotation, options?: WriteOptions): Call<T.RotatedKey> {
    return this.core.call({ method: 'POST', path: `/v1/organization-api/keys/${segment(id)}/rotate`, key: 'organization', isKeyed: true }, options, body)
  }
}

/** What `plans.create` takes. */
export interface PlansCreateOptions extends WriteOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** What `plans.list` takes. */
export interface PlansListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | 'name' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Words that `name` contains, in any order, ignoring case. At most 8 different words. */
  search?: string | undefined
  /** Part of `name`, ignoring case. */
  searchByName?: string | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
  /** Exactly this `status`. */
  status?: 'active' | 'inactive' | undefined
}

/** What `plans.update` takes. */
export interface PlansUpdateOptions extends WriteOptions, VersionOptions {
  /** With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples. */
  dryRun?: boolean | undefined
}

/** The limits of companies: an organization’s own plans, and plans of all organizations. These routes take an organization’s key. */
export class PlansApi extends Resource {
  /**
   * Create a plan.
   *
   * With `isDefault`, it replaces the default plan.
   *
   * The key needs the permission `create`.
   */
  create(body: T.PlanCreate, options?: PlansCreateOptions): Call<T.Plan> {
    return this.core.call({ method: 'POST', path: '/v1/organization-api/plans', key: 'organization', isKeyed: true }, options, body)
  }

  /**
   * List plans.
   *
   * The plans of the organization, and the plans of all organizations.
   *
   * The key needs the permission `read`.
   */
  list(options?: PlansListOptions): List<T.Plan> {
    return listOf(this.core, { method: 'GET', path: '/v1/organization-api/plans', key: 'organization' }, 'cursor', options)
  }

  /**
   * Read a plan.
   *
   * The key needs the permission `read`.
   */
  get(id: string, options?: RequestOptions): Call<T.Plan> {
    return this.core.call({ method: 'GET', path: `/v1/organization-api/plans/${segment(id)}`, key: 'organization' }, options)
  }

  /**
   * Update or deactivate a plan.
   *
   * Members that you send replace the stored ones; `limits` is replaced as a whole. With `status` `inactive`, no further company can be put on the plan; companies that are on it stay. The default plan stays the default and active until another plan becomes the default.
   *
   * The key needs the permission `update`.
   */
  update(id: string, body: T.PlanUpdate, options?: PlansUpdateOptions): Call<T.Plan> {
    return this.core.call({ method: 'PATCH', path: `/v1/organization-api/plans/${segment(id)}`, key: 'organization', isKeyed: true }, options, body)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.Plan) => T.PlanUpdate | undefined | Promise<T.PlanUpdate | undefined>, options?: RequestOptions): Promise<T.Plan> {
    return edit(
      (own) => this.get(id, own),
      (body: T.PlanUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** The organization that onboards companies, as its key and the readers of its extensions see it. */
export class OrganizationApi extends Resource {
  /**
   * Read the organization of the key.
   *
   * The key needs the permission `read`.
   */
  get(options?: RequestOptions): Call<T.Organization> {
    return this.core.call({ method: 'GET', path: '/v1/organization-api/organization', key: 'organization' }, options)
  }

  /**
   * Update the organization of the key.
   *
   * Changes take effect at once in its published extensions and in their order.
   *
   * The key needs the permission `update`.
   */
  update(body: T.OrganizationUpdate, options?: WriteOptions & VersionOptions): Call<T.Organization> {
    return this.core.call({ method: 'PATCH', path: '/v1/organization-api/organization', key: 'organization', isKeyed: true }, options, body)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(change: (record: T.Organization) => T.OrganizationUpdate | undefined | Promise<T.OrganizationUpdate | undefined>, options?: RequestOptions): Promise<T.Organization> {
    return edit(
      (own) => this.get(own),
      (body: T.OrganizationUpdate, own) => this.update(body, own),
      change,
      options,
    )
  }
}

/** What `extensions.list` takes. */
export interface ExtensionsListOptions extends RequestOptions {
  /** Extensions to skip. */
  skip?: number | undefined
  /** Maximum number of extensions; 0 means the default. */
  limit?: number | undefined
  /** Exactly this `category`. */
  category?: string | undefined
  /** Part of the name or of one of the descriptions, case-insensitive, taken literally. */
  search?: string | undefined
  /** Continues after a page: its `meta.nextCursor`. Use it instead of `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** Exactly this `status`. */
  status?: 'draft' | 'public' | 'archived' | undefined
}

/** An offer of an organization: a name and texts, pictures, a price, and the surfaces where it appears. It is written with the organization’s key; once its `status` is `public`, anyone can read it. */
export class ExtensionsApi extends Resource {
  /**
   * Create an extension.
   *
   * The key needs the permission `create`.
   */
  create(body: T.ExtensionCreate, options?: WriteOptions): Call<T.Extension> {
    return this.core.call({ method: 'POST', path: '/v1/organization-api/extensions', key: 'organization', isKeyed: true }, options, body)
  }

  /**
   * List extensions.
   *
   * The extensions of the key’s organization, in creation order.
   *
   * The key needs the permission `read`.
   */
  list(options?: ExtensionsListOptions): List<T.Extension> {
    return listOf(this.core, { method: 'GET', path: '/v1/organization-api/extensions', key: 'organization' }, 'cursor', options)
  }

  /**
   * Read an extension.
   *
   * The key needs the permission `read`.
   */
  get(id: string, options?: RequestOptions): Call<T.Extension> {
    return this.core.call({ method: 'GET', path: `/v1/organization-api/extensions/${segment(id)}`, key: 'organization' }, options)
  }

  /**
   * Update an extension.
   *
   * Members that you send replace the stored ones; others keep their values; `null` clears an optional member.
   *
   * The key needs the permission `update`.
   */
  update(id: string, body: T.ExtensionUpdate, options?: WriteOptions & VersionOptions): Call<T.Extension> {
    return this.core.call({ method: 'PATCH', path: `/v1/organization-api/extensions/${segment(id)}`, key: 'organization', isKeyed: true }, options, body)
  }

  /**
   * Delete an extension.
   *
   * The key needs the permission `delete`.
   */
  delete(id: string, options?: RequestOptions & VersionOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/organization-api/extensions/${segment(id)}`, key: 'organization' }, options)
  }

  /** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
  edit(id: string, change: (record: T.Extension) => T.ExtensionUpdate | undefined | Promise<T.ExtensionUpdate | undefined>, options?: RequestOptions): Promise<T.Extension> {
    return edit(
      (own) => this.get(id, own),
      (body: T.ExtensionUpdate, own) => this.update(id, body, own),
      change,
      options,
    )
  }
}

/** What `publishedExtensions.list` takes. */
export interface PublishedExtensionsListOptions extends RequestOptions {
  /** Extensions to skip. */
  skip?: number | undefined
  /** Maximum number of extensions; 0 means the default. */
  limit?: number | undefined
  /** Exactly this `category`. */
  category?: string | undefined
  /** Part of the name or of one of the descriptions, case-insensitive, taken literally. At least 3 characters, with a letter or digit after the first one. */
  search?: string | undefined
  /** Only extensions of the organization with this `organization_alias`. */
  organizationAlias?: string | undefined
}

/** Every extension whose `status` is `public`, of all organizations, for everyone: no key is needed, and a key that is sent is ignored. */
export class PublishedExtensionsApi extends Resource {
  /**
   * List published extensions.
   *
   * Ordered by the organization’s name, then by the extension’s, both case-insensitive, then by id. Without parameters, all extensions are returned, however many: a long list is streamed, and an extension that stays published meanwhile appears in it exactly once. With parameters, the answer is a page.
   *
   * Needs no key.
   */
  list(options?: PublishedExtensionsListOptions): List<T.PublishedExtension> {
    return listOf(this.core, { method: 'GET', path: '/v1/public/published-extensions' }, 'skip', options)
  }

  /**
   * Read a published extension.
   *
   * Its surfaces are resolved: each has `id`, `platform`, `type` and `url`. A surface without a platform is for `all`, one without a type is a `link`, one without a URL opens the `website`; without a `website` either, it is left out.
   *
   * Needs no key.
   */
  get(extensionId: string, options?: RequestOptions): Call<T.PublishedExtensionRead> {
    return this.core.call({ method: 'GET', path: `/v1/public/published-extension/${segment(extensionId)}` }, options)
  }
}

/** What needs the attention of a company’s people: failing webhooks, imports that ended, low stock, and sessions closed with a difference. For people who are signed in. */
export class AlertsApi extends Resource {
  /**
   * List the alerts of the company.
   *
   * The newest first, of the kinds that the person has not switched off in the bell. A condition that lasts is one alert, which recovers when the condition ends. A recovered alert is removed after 7 days, and an alert about a single event after 30.
   *
   * Requires a signed-in user with at least the role `viewer`; not available to keys.
   */
  get(options?: RequestOptions): Call<T.Alerts> {
    return this.core.call({ method: 'GET', path: '/v1/alerts', key: 'company' }, options)
  }

  /**
   * Mark alerts as read.
   *
   * Applies to the signed-in person only. An alert becomes unread again when it has news. Unknown ids are ignored.
   *
   * Requires a signed-in user with at least the role `viewer`; not available to keys.
   */
  read(body: T.AlertsRead, options?: WriteOptions): Call<T.Done> {
    return this.core.call({ method: 'POST', path: '/v1/alerts/read', key: 'company', isKeyed: true }, options, body)
  }
}

/** What `console.listOpenCompanies` takes. */
export interface ConsoleListOpenCompaniesOptions extends RequestOptions {
  /** Part of the name, case-insensitive. */
  search?: string | undefined
  /** Maximum number of companies to return; 0 means the default. */
  limit?: number | undefined
  /** Continues after a page: its `meta.nextCursor`. */
  cursor?: string | undefined
}

/** People who sign in with e-mail address and password instead of a key. The cookie that a sign-in sets gives access to every other chapter too. The guide is docs/guides/people.md. */
export class ConsoleApi extends Resource {
  /**
   * See which alerts you get.
   *
   * Requires a signed-in user.
   */
  readAlertSettings(options?: RequestOptions): Call<T.AlertSettings> {
    return this.core.call({ method: 'GET', path: '/v1/console/alert-settings', key: 'company' }, options)
  }

  /**
   * Choose which alerts you get.
   *
   * Applies to all companies of the person. Kinds and channels that you leave out do not change.
   *
   * Requires a signed-in user.
   */
  changeAlertSettings(body: T.AlertSettingsChange, options?: RequestOptions): Call<T.AlertSettings> {
    return this.core.call({ method: 'PATCH', path: '/v1/console/alert-settings', key: 'company' }, options, body)
  }

  /**
   * Sign in.
   *
   * Sets the cookie that keeps the browser signed in for 30 days, or until it is unused for 7. After ten wrong passwords for an account within 15 minutes, or fifty from an address, no password is checked until the 15 minutes are over: 429 with `Retry-After`. A browser in which the user signed in before, recognized by a second cookie, has its own ten attempts, whatever is tried elsewhere. If the account has a second factor, a right password without `code` gets 401 `second_factor_required`, and one with a wrong code 401 `invalid_second_factor`; wrong codes are limited like passwords, but counted separately.
   *
   * Needs no key.
   */
  signIn(body: T.Credentials, options?: RequestOptions): Call<T.SignedIn> {
    return this.core.call({ method: 'POST', path: '/v1/console/sign-in' }, options, body)
  }

  /**
   * See who is signed in.
   *
   * Includes the person’s memberships, at most a hundred of each kind; `GET /v1/console/companies` lists all companies that the person has access to.
   *
   * Requires a signed-in user.
   */
  readSignIn(options?: RequestOptions): Call<T.SignIn> {
    return this.core.call({ method: 'GET', path: '/v1/console/sign-in', key: 'company' }, options)
  }

  /**
   * Sign out.
   *
   * Requires a signed-in user.
   */
  signOut(options?: RequestOptions): Call<T.Done> {
    return this.core.call({ method: 'DELETE', path: '/v1/console/sign-in', key: 'company' }, options)
  }

  /**
   * Change your own name, e-mail address or password.
   *
   * To change the address or the password, send the current password in `currentPassword`; for an account without a password, the sign-in must be at most ten minutes old. A wrong password counts as a failed sign-in. A new password ends all other sign-ins, and the links that the person has given to others. A new address ends links for setting the person’s password, since they may be in the mailbox of the old address. Both changes get 403 if a company or organization requires a second factor and the person has a passkey but signed in without it.
   *
   * Requires a signed-in user.
   */
  changeOwnUser(body: T.UserChange, options?: RequestOptions): Call<T.User> {
    return this.core.call({ method: 'PATCH', path: '/v1/console/user', key: 'company' }, options, body)
  }

  /**
   * List your sign-ins.
   *
   * Requires a signed-in user.
   */
  listSignIns(options?: RequestOptions): Call<T.SignIns> {
    return this.core.call({ method: 'GET', path: '/v1/console/sign-ins', key: 'company' }, options)
  }

  /**
   * Sign out everywhere else.
   *
   * Requires a signed-in user.
   */
  endOtherSignIns(options?: RequestOptions): Call<T.Done> {
    return this.core.call({ method: 'DELETE', path: '/v1/console/sign-ins', key: 'company' }, options)
  }

  /**
   * End one of your sign-ins.
   *
   * Requires a signed-in user.
   */
  endSignIn(id: string, options?: RequestOptions): Call<T.Done> {
    return this.core.call({ method: 'DELETE', path: `/v1/console/sign-ins/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * See your second factor.
   *
   * Requires a signed-in user.
   */
  readSecondFactor(options?: RequestOptions): Call<T.SecondFactor> {
    return this.core.call({ method: 'GET', path: '/v1/console/second-factor', key: 'company' }, options)
  }

  /**
   * Set up a second factor.
   *
   * Makes a secret for an authenticator app (TOTP, RFC 6238), which is shown only now. Sign-ins do not require a code before `/v1/console/second-factor/confirm` has received one. Another setup replaces a secret that is not confirmed. The request needs the password or, for an account without one, a sign-in that is at most ten minutes old. A wrong password counts as a failed sign-in.
   *
   * Requires a signed-in user.
   */
  setUpSecondFactor(body: T.SecondFactorSetup, options?: RequestOptions): Call<T.SecondFactorSecret> {
    return this.core.call({ method: 'POST', path: '/v1/console/second-factor', key: 'company' }, options, body)
  }

  /**
   * Turn your second factor on.
   *
   * Takes a first code of the app, ends all your other sign-ins, and returns ten recovery codes, which are shown only now. Each replaces a code of the app once. A wrong code is 400 with code `wrong` at `/code`; after ten within 15 minutes, the answer is 429.
   *
   * Requires a signed-in user.
   */
  confirmSecondFactor(body: T.SecondFactorConfirmation, options?: RequestOptions): Call<T.RecoveryCodes> {
    return this.core.call({ method: 'POST', path: '/v1/console/second-factor/confirm', key: 'company' }, options, body)
  }

  /**
   * Turn your second factor off.
   *
   * Needs a code, and the password or, for an account without one, a sign-in that is at most ten minutes old. A wrong code is 400 with code `wrong` at `/code`; wrong passwords and codes count like those of sign-ins. For a user who has neither the app nor a recovery code, the operator runs `cashwrap user reset-second-factor`.
   *
   * Requires a signed-in user.
   */
  turnOffSecondFactor(body: T.SecondFactorTurnOff, options?: RequestOptions): Call<T.Done> {
    return this.core.call({ method: 'POST', path: '/v1/console/second-factor/turn-off', key: 'company' }, options, body)
  }

  /**
   * Begin signing in with a passkey.
   *
   * Names no account: the browser offers the passkeys that it has for this host name.
   *
   * Needs no key.
   */
  beginPasskeySignIn(options?: RequestOptions): Call<T.PasskeyOptions> {
    return this.core.call({ method: 'POST', path: '/v1/console/passkey-sign-in/options' }, options)
  }

  /**
   * Sign in with a passkey.
   *
   * Replaces password and code, since the device has checked its user. Sets the cookies of a sign-in. A response is accepted once; a wrong one gets 401 `invalid_passkey`, and counts like a wrong password, for its passkey and the network.
   *
   * Needs no key.
   */
  signInWithPasskey(body: T.PasskeySignIn, options?: RequestOptions): Call<T.SignedIn> {
    return this.core.call({ method: 'POST', path: '/v1/console/passkey-sign-in' }, options, body)
  }

  /**
   * List your passkeys.
   *
   * Requires a signed-in user.
   */
  listPasskeys(options?: RequestOptions): Call<T.Passkeys> {
    return this.core.call({ method: 'GET', path: '/v1/console/passkeys', key: 'company' }, options)
  }

  /**
   * Register a passkey.
   *
   * The response must be to options of the same sign-in, from the same address, and verify the user; a wrong one is 400 with code `wrong` at `/response`, an expired or used token with code `expired` at `/token`. 403 for a person who has a passkey that a company or organization requires, and has signed in without.
   *
   * Requires a signed-in user.
   */
  registerPasskey(body: T.PasskeyRegistration, options?: RequestOptions): Call<T.Passkey> {
    return this.core.call({ method: 'POST', path: '/v1/console/passkeys', key: 'company' }, options, body)
  }

  /**
   * Rename a passkey.
   *
   * Requires a signed-in user.
   */
  renamePasskey(id: string, body: T.PasskeyRename, options?: RequestOptions): Call<T.Passkey> {
    return this.core.call({ method: 'PATCH', path: `/v1/console/passkeys/${segment(id)}`, key: 'company' }, options, body)
  }

  /**
   * Remove a passkey.
   *
   * The passkey no longer signs anyone in. The device may still offer it; remove it there too. If a company or organization of the person requires a second factor, a sign-in without one gets 403, and the last second factor cannot be removed (409). The only way to sign in cannot be removed either (409).
   *
   * Requires a signed-in user.
   */
  removePasskey(id: string, options?: RequestOptions): Call<T.Done> {
    return this.core.call({ method: 'DELETE', path: `/v1/console/passkeys/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Begin registering a passkey.
   *
   * Needs the password or, for an account without one, a sign-in that is at most ten minutes old; and a code if the second factor is on. Wrong ones count like those of a sign-in. A missing code is 400 with code `required` at `/code`, a wrong one 400 with code `wrong`. The passkey belongs to the host name at which the console is open; at a numeric address, the response is 409. The response is 403 in the same cases as for the registration.
   *
   * Requires a signed-in user.
   */
  beginPasskey(body: T.PasskeyBeginning, options?: RequestOptions): Call<T.PasskeyOptions> {
    return this.core.call({ method: 'POST', path: '/v1/console/passkeys/options', key: 'company' }, options, body)
  }

  /**
   * Begin signing in at the OpenID provider.
   *
   * Returns the address of the provider to which the browser goes, and sets a cookie with which it comes back within ten minutes: state, nonce and the code verifier of PKCE, encrypted. If an ID token says when the person signed in, `reauthenticate` is checked. If the operator has set up no provider, the path is 404. The response is 409 if the request does not use the address that the operator has set, and 503 with `reason` `provider_unreachable` if the provider does not answer.
   *
   * Needs no key.
   */
  beginSso(body?: T.SsoStart, options?: RequestOptions): Call<T.SsoBeginning> {
    return this.core.call({ method: 'POST', path: '/v1/console/sso' }, options, body ?? {})
  }

  /**
   * Finish signing in at the OpenID provider.
   *
   * Redeems the code at the provider, once, in the browser in which it was begun, and returns the identity as a token for the next request: it signs in, accepts an invitation, or is linked. Anything wrong is 401 `invalid_sso`; after fifty failures from a network within 15 minutes, the answer is 429. If the operator has set up no provider, the path is 404.
   *
   * Needs no key.
   */
  identifyBySso(body: T.SsoAnswer, options?: RequestOptions): Call<T.SsoIdentity> {
    return this.core.call({ method: 'POST', path: '/v1/console/sso/identify' }, options, body)
  }

  /**
   * Sign in with an identity.
   *
   * Replaces the password. A second factor is required as for `/v1/console/sign-in`, unless the operator relies on the provider’s own; a refused code leaves the token valid. An identity without a linked account gets 401 `invalid_sso`. If the operator has set up no provider, the path is 404.
   *
   * Needs no key.
   */
  signInBySso(body: T.SsoSignIn, options?: RequestOptions): Call<T.SignedIn> {
    return this.core.call({ method: 'POST', path: '/v1/console/sso/sign-in' }, options, body)
  }

  /**
   * Accept an invitation with an identity.
   *
   * Creates an account without a password under the invited address, links the identity and signs in. The response is 403 unless the provider says that the person’s address is verified, and it is the invited one. It is 409 if the address has an account, or the identity is linked to one: sign in to that account, and accept with `/v1/console/link/accept`. If the operator has set up no provider, the path is 404.
   *
   * Needs no key.
   */
  acceptInvitationBySso(body: T.SsoInvitation, options?: RequestOptions): Call<T.SignedIn> {
    return this.core.call({ method: 'POST', path: '/v1/console/sso/accept' }, options, body)
  }

  /**
   * List your linked identities.
   *
   * If the operator has set up no provider, the path is 404.
   *
   * Requires a signed-in user.
   */
  listIdentities(options?: RequestOptions): Call<T.LinkedIdentities> {
    return this.core.call({ method: 'GET', path: '/v1/console/identities', key: 'company' }, options)
  }

  /**
   * Link an identity to your account.
   *
   * Needs the password, and a code if the second factor is on; wrong ones count like those of a sign-in. An account without a password needs a sign-in that is at most ten minutes old. A used or expired token gets 400 with code `expired` at `/token`; an identity that is linked to an account gets 409. If the operator has set up no provider, the path is 404.
   *
   * Requires a signed-in user.
   */
  linkIdentity(body: T.IdentityLink, options?: RequestOptions): Call<T.LinkedIdentity> {
    return this.core.call({ method: 'POST', path: '/v1/console/identities', key: 'company' }, options, body)
  }

  /**
   * Unlink an identity.
   *
   * The identity no longer signs anyone in; sign-ins that were made with it stay. The response is 409 if it is the only way to sign in, or the last second factor and a company or organization requires one. If one is required, a sign-in without it gets 403. If the operator has set up no provider, the path is 404.
   *
   * Requires a signed-in user.
   */
  unlinkIdentity(id: string, options?: RequestOptions): Call<T.Done> {
    return this.core.call({ method: 'DELETE', path: `/v1/console/identities/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * List the companies that the person has access to.
   *
   * Ordered by name: the companies that the person is a member of, and all companies of the person’s organizations, except of those that require a second factor while the sign-in has none.
   *
   * Requires a signed-in user.
   */
  listOpenCompanies(options?: ConsoleListOpenCompaniesOptions): List<T.OpenCompany> {
    return listOf(this.core, { method: 'GET', path: '/v1/console/companies', key: 'company' }, 'cursor', options)
  }

  /**
   * Read what a link is for.
   *
   * Shows what a link is for, without using it. For an invitation, the answer names the inviter and what the invitation gives access to.
   *
   * Needs no key.
   */
  lookAtLink(body: T.LinkToken, options?: RequestOptions): Call<T.Link> {
    return this.core.call({ method: 'POST', path: '/v1/console/link/look' }, options, body)
  }

  /**
   * Set a password or create an account with a link.
   *
   * Signs the user in here and out everywhere else. A link works once: of two concurrent requests, one succeeds. A `first` link needs `email`. An `invitation` link creates an account under `email`, or under the address of the invitation if `email` is absent, and that account becomes the member. An address that has an account is 400 with code `taken` at `/email`: sign in with it, and accept with `/v1/console/link/accept`. After ten such answers for an organization, or fifty failures from a network, within 15 minutes, the answer is 429. A `password` link also removes the passkeys and linked identities of the account. If the account has a second factor, the link needs `code`, as a sign-in does; a refused code leaves the link valid. If a company or organization of the person requires a second factor and the account has one other than codes, a `password` link gets 403 `second_factor_missing` and stays valid. In a browser that is signed in to the account with that factor, the link works, and passkeys and identities stay.
   *
   * Needs no key.
   */
  useLink(body: T.LinkUse, options?: RequestOptions): Call<T.SignedIn> {
    return this.core.call({ method: 'POST', path: '/v1/console/link/use' }, options, body)
  }

  /**
   * Request a link to set a new password.
   *
   * Mails the link to the address, if it has an account. The response is the same if it has none. An address gets at most 3 mails within 15 minutes; after 10 requests from a network, the response is 429. It is 409 `conflict` if the service has no mail server.
   *
   * Needs no key.
   */
  askForPasswordReset(body: T.PasswordReset, options?: RequestOptions): Call<T.PasswordResetTaken> {
    return this.core.call({ method: 'POST', path: '/v1/console/password-reset' }, options, body)
  }

  /**
   * Accept an invitation.
   *
   * Makes the signed-in account the member, even if the invitation has another address. A link works once: of two concurrent requests, one succeeds. If the account is already a member, the answer is 409 and the link stays valid.
   *
   * Requires a signed-in user.
   */
  acceptInvitation(body: T.InvitationAccepted, options?: RequestOptions): Call<T.AcceptedInvitation> {
    return this.core.call({ method: 'POST', path: '/v1/console/link/accept', key: 'company' }, options, body)
  }

  /**
   * List the names of keys and people.
   *
   * The keys of the company and of its organization, and the people who can open the company: the names of the actors of events. Keys that were deleted and people who were removed are not among them.
   *
   * Requires a signed-in user with at least the role `viewer`; not available to keys.
   */
  listActors(options?: RequestOptions): Call<T.Actors> {
    return this.core.call({ method: 'GET', path: '/v1/console/actors', key: 'company' }, options)
  }

  /**
   * List the resource declarations.
   *
   * The members of each resource that has Style B paths, and what its list supports, including the columns that the company’s custom tables add to customers.
   *
   * The key needs the permission `read`.
   */
  listResources(options?: RequestOptions): Call<T.ResourceDeclarations> {
    return this.core.call({ method: 'GET', path: '/v1/console/resources', key: 'company' }, options)
  }
}

/** What `members.list` takes. */
export interface MembersListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | 'email' | 'name' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Words, each contained in one of `email`, `name`, in any order, ignoring case. At most 8 different words. */
  search?: string | undefined
  /** Part of `email`, ignoring case. */
  searchByEmail?: string | undefined
  /** Part of `name`, ignoring case. */
  searchByName?: string | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
}

/** What `members.create` takes. */
export interface MembersCreateOptions extends WriteOptions {
  /** Adds the account with this id and e-mail address at once, without a link. The account must have access only to what you own, or belong to the organization of the company. */
  existing?: string | undefined
}

/** The people who can sign in to a company or an organization, and their roles. Owners change them in the console; no key can. */
export class MembersApi extends Resource {
  /**
   * List the members of the company.
   *
   * The company’s own members; the members of its organization also have access, and are in the organization’s list.
   *
   * Requires a signed-in user with at least the role `admin`; not available to keys.
   */
  list(options?: MembersListOptions): List<T.Member> {
    return listOf(this.core, { method: 'GET', path: '/v1/members', key: 'company' }, 'cursor', options)
  }

  /**
   * Invite a person to the company.
   *
   * Always answers with a `link`, whether or not the address has an account: the address is only a label. The person who opens the link signs in with their own account, or creates one under any free address, and that account becomes the member. 409 `conflict`: a member or an invitation in this list already has the address.
   *
   * Requires a signed-in user with at least the role `owner`; not available to keys.
   */
  create(body: T.MemberCreate, options?: MembersCreateOptions): Call<T.NewMember> {
    return this.core.call({ method: 'POST', path: '/v1/members', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Change the role of a member of the company.
   *
   * The change takes effect with the next request, on every server. `name` is ignored: only the person can change it. The last owner who can sign in stays an owner.
   *
   * Requires a signed-in user with at least the role `owner`; not available to keys.
   */
  update(id: string, body: T.MemberUpdate, options?: WriteOptions): Call<T.Member> {
    return this.core.call({ method: 'PATCH', path: `/v1/members/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Remove a member of the company, or withdraw an invitation.
   *
   * The removal takes effect with the next request, on every server. A user without another membership is deleted. The last owner who can sign in cannot be removed. Keys that the person created stay: review them.
   *
   * Requires a signed-in user with at least the role `owner`; not available to keys.
   */
  delete(id: string, options?: RequestOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/members/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Make a new link for a member of the company.
   *
   * Renews the link of an invitation for 7 days. For a member, makes a link to set a new password; the current password works until the link is used. Older links stop working.
   *
   * Requires a signed-in user with at least the role `owner`; not available to keys.
   */
  renewLink(id: string, options?: WriteOptions): Call<T.MemberLink> {
    return this.core.call({ method: 'POST', path: `/v1/members/${segment(id)}/link`, key: 'company', isKeyed: true }, options)
  }
}

/** What `organizationMembers.list` takes. */
export interface OrganizationMembersListOptions extends RequestOptions {
  /** Records to skip. */
  skip?: number | undefined
  /** Maximum number of records to return; 0 means the default. */
  limit?: number | undefined
  /** The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`. */
  cursor?: string | undefined
  /** With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is. */
  count?: boolean | undefined
  /** The member to sort by; records with equal values are sorted by id. */
  sortBy?: 'createdAt' | 'updatedAt' | 'email' | 'name' | undefined
  /** Ascending (the lowest or oldest first) or descending. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Only the records with these ids, separated by commas: at most 100. Unknown ids are left out. An empty value is refused. */
  id?: string | readonly string[] | undefined
  /** Words, each contained in one of `email`, `name`, in any order, ignoring case. At most 8 different words. */
  search?: string | undefined
  /** Part of `email`, ignoring case. */
  searchByEmail?: string | undefined
  /** Part of `name`, ignoring case. */
  searchByName?: string | undefined
  /** Bounds of `createdAt`, as in `createdAt[gte]=2026-11-21`. */
  createdAt?: TimeBounds | undefined
  /** Bounds of `updatedAt`, as in `updatedAt[gte]=2026-11-21`. */
  updatedAt?: TimeBounds | undefined
}

/** What `organizationMembers.create` takes. */
export interface OrganizationMembersCreateOptions extends WriteOptions {
  /** Adds the account with this id and e-mail address at once, without a link. The account must have access only to what you own, or belong to the organization of the company. */
  existing?: string | undefined
}

/** The people who can sign in to a company or an organization, and their roles. Owners change them in the console; no key can. */
export class OrganizationMembersApi extends Resource {
  /**
   * List the members of the organization.
   *
   * Requires a signed-in user with at least the role `admin`; not available to keys.
   */
  list(options?: OrganizationMembersListOptions): List<T.OrganizationMember> {
    return listOf(this.core, { method: 'GET', path: '/v1/organization-api/members', key: 'company' }, 'cursor', options)
  }

  /**
   * Invite a person to the organization.
   *
   * Always answers with a `link`, whether or not the address has an account: the address is only a label. The person who opens the link signs in with their own account, or creates one under any free address, and that account becomes the member. 409 `conflict`: a member or an invitation in this list already has the address.
   *
   * Requires a signed-in user with at least the role `owner`; not available to keys.
   */
  create(body: T.OrganizationMemberCreate, options?: OrganizationMembersCreateOptions): Call<T.NewOrganizationMember> {
    return this.core.call({ method: 'POST', path: '/v1/organization-api/members', key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Change the role of a member of the organization.
   *
   * The change takes effect with the next request, on every server. `name` is ignored: only the person can change it. The last owner who can sign in stays an owner.
   *
   * Requires a signed-in user with at least the role `owner`; not available to keys.
   */
  update(id: string, body: T.OrganizationMemberUpdate, options?: WriteOptions): Call<T.OrganizationMember> {
    return this.core.call({ method: 'PATCH', path: `/v1/organization-api/members/${segment(id)}`, key: 'company', isKeyed: true }, options, body)
  }

  /**
   * Remove a member of the organization, or withdraw an invitation.
   *
   * The removal takes effect with the next request, on every server. A user without another membership is deleted. The last owner who can sign in cannot be removed. Keys that the person created stay: review them.
   *
   * Requires a signed-in user with at least the role `owner`; not available to keys.
   */
  delete(id: string, options?: RequestOptions): Call<T.Deleted> {
    return this.core.call({ method: 'DELETE', path: `/v1/organization-api/members/${segment(id)}`, key: 'company' }, options)
  }

  /**
   * Make a new link for a member of the organization.
   *
   * Renews the link of an invitation for 7 days. For a member, makes a link to set a new password; the current password works until the link is used. Older links stop working.
   *
   * Requires a signed-in user with at least the role `owner`; not available to keys.
   */
  renewLink(id: string, options?: WriteOptions): Call<T.MemberLink> {
    return this.core.call({ method: 'POST', path: `/v1/organization-api/members/${segment(id)}/link`, key: 'company', isKeyed: true }, options)
  }
}

/** The people who can sign in to a company or an organization, and their roles. Owners change them in the console; no key can. */
export class SignInRulesApi extends Resource {
  /**
   * See what the company requires of sign-ins.
   *
   * Requires a signed-in user with at least the role `admin`; not available to keys.
   */
  get(options?: RequestOptions): Call<T.SignInRules> {
    return this.core.call({ method: 'GET', path: '/v1/sign-in-rules', key: 'company' }, options)
  }

  /**
   * Change what the company requires of sign-ins.
   *
   * Takes effect with the next request of each person. Without a second factor, requests get 403 `second_factor_missing`, on every server, until the person turns one on or signs in with a passkey. Keys are not affected. If the owner’s own sign-in has no second factor, the response is 409.
   *
   * Requires a signed-in user with at least the role `owner`; not available to keys.
   */
  update(body: T.SignInRulesUpdate, options?: WriteOptions): Call<T.SignInRules> {
    return this.core.call({ method: 'PATCH', path: '/v1/sign-in-rules', key: 'company', isKeyed: true }, options, body)
  }
}

/** The people who can sign in to a company or an organization, and their roles. Owners change them in the console; no key can. */
export class OrganizationSignInRulesApi extends Resource {
  /**
   * See what the organization requires of sign-ins.
   *
   * Requires a signed-in user with at least the role `admin`; not available to keys.
   */
  get(options?: RequestOptions): Call<T.SignInRules> {
    return this.core.call({ method: 'GET', path: '/v1/organization-api/sign-in-rules', key: 'company' }, options)
  }

  /**
   * Change what the organization requires of sign-ins.
   *
   * Takes effect with the next request of each person. Without a second factor, requests get 403 `second_factor_missing`, on every server, until the person turns one on or signs in with a passkey. Keys are not affected. If the owner’s own sign-in has no second factor, the response is 409.
   *
   * Requires a signed-in user with at least the role `owner`; not available to keys.
   */
  update(body: T.SignInRulesUpdate, options?: WriteOptions): Call<T.SignInRules> {
    return this.core.call({ method: 'PATCH', path: '/v1/organization-api/sign-in-rules', key: 'company', isKeyed: true }, options, body)
  }
}

/** A client of a Cashwrap service. */
export class Cashwrap {
  /** Whether the service is up, and what a key gives access to. */
  readonly service: ServiceApi
  /** A place where the company sells or keeps stock. */
  readonly outlets: OutletsApi
  /** A till or kiosk at an outlet. Sessions are opened and closed at it. */
  readonly stations: StationsApi
  /** A person who works for the company. It is a record, not a sign-in. */
  readonly accounts: AccountsApi
  /** A set of permissions that tills grant to employees. */
  readonly roles: RolesApi
  /** A category of products. `parentId` arranges categories as a tree. */
  readonly categories: CategoriesApi
  /** Something that the company sells. Price, barcode and stock belong to its variants. If any variant has a price, `minPrice` and `maxPrice` are the lowest and highest current price of its variants, and values sent for them are ignored. */
  readonly products: ProductsApi
  /** One version of a product, such as a size or a colour. It has a price, a barcode, and stock at each outlet. */
  readonly variants: VariantsApi
  /** The stock of a variant at an outlet. Each product, variant and outlet has at most one live record. An existing variant has one product, so it has one live record at an outlet; a `variantId` that matches no variant can have one for each product. Deleting flags the record and keeps it. */
  readonly inventory: InventoryApi
  /** Whether a product or variant is shown at an outlet. Without such a record, it is shown. */
  readonly catalogVisibility: CatalogVisibilityApi
  /** Tax rates for sale lines without `taxes`. A product names its table in `taxTable`, by id or name. Products that name none get the table that applies to their type and outlet, else the default one. */
  readonly taxTables: TaxTablesApi
  /** A person or business that buys. Deleting flags the record and keeps it. */
  readonly customers: CustomersApi
  /** A till from opening to counting, with the amounts found in it. A station has at most one open session if the company’s setting `oneOpenSession` is on. */
  readonly sessions: SessionsApi
  /** The closing report (Z) of a session. Its figures are copies, so later changes of the session, its orders and its payments do not affect them. A closing includes everything of its station that no earlier closing included, so each record is in one closing. */
  readonly closings: ClosingsApi
  /** Cash that is put into the drawer of a till or taken out of it without a sale, such as change from the bank or a payment to a courier. Session reports and closings add movements up. */
  readonly cashMovements: CashMovementsApi
  /** A sale with its lines, totals and payments. The till computes all amounts; the service stores them as they are sent. An order does not change stock until it is completed as a sale. The guide `docs/guides/anatomy-of-a-sale.md` follows a sale from the receipt to each of its members. */
  readonly orders: OrdersApi
  /** One payment in or out, in cash or through a processor. */
  readonly transactions: TransactionsApi
  /** Returned lines of an order, and the money paid back for them. It does not change stock. */
  readonly refunds: RefundsApi
  /** A file of the company: kept by the service, in `file`, or stored elsewhere at `url`. */
  readonly attachments: AttachmentsApi
  /** A URL of an automation tool that receives events. */
  readonly automationTriggers: AutomationTriggersApi
  /** A whole sale in one request: the order, its payments, the stock that leaves the shelf and, if it is new, the customer. All of it is stored, or nothing. */
  readonly sales: SalesApi
  /** The delivery of an event to an automation trigger: its state, and each attempt with its time, status, duration and the beginning of the response. Deliveries are kept for 30 days. */
  readonly webhookDeliveries: WebhookDeliveriesApi
  /** Every write stores an event in its own transaction: the record as written and, for a change, the previous values of the changed members. Types are `<resource>.created`, `.updated` and `.deleted`, besides `inventory.stock_changed`, `order.completed`, `order.refunded`, `session.opened`, `session.closed`, and `custom.<name>` for your own events. Events are kept for 30 days and read in one order. */
  readonly events: EventsApi
  /** The company’s sales by day, in its time zone and currency. Sums are exact and include every write that was answered before. The first report of a company with many records is computed from those records, newest first; until it reaches back far enough, `isComplete` is false. */
  readonly reports: ReportsApi
  /** The CSV export of another shop: its catalogue (products, variants, categories, images, attributes, prices and stock), its customers, or its orders with payments and refunds, which move no stock. An import is first checked and shows what it would do; it runs only on request. It can run any number of times; records that are already up to date are not written again. Imports of one company run one after the other. An import and its file are kept for 7 days after its last check or run, and the import for 30 days if it wrote something: until then it can be undone, once. If a company has more than 500 MB of files, or 1,000 imports, the oldest are deleted sooner. A file has at most 500,000 rows and 2,000 columns; a file with more than 10,000 lines that cannot be imported, or more than 20,000 categories, is refused as a whole. */
  readonly imports: ImportsApi
  /** All data of a company in one file: NDJSON with a first line that describes the file, a line for each row, and a last line with the SHA-256 of everything before it. `cashwrap company import` creates the company from it on another server, with its ids and keys. The guide `docs/guides/leaving-and-moving.md` describes the file. It contains personal data and the hashes of keys, but no secrets of automation triggers. An export is one snapshot; the service continues to work while it is written. Exports and their files are kept for 7 days, and only the newest 5 of a company. */
  readonly exports: ExportsApi
  /** A table of the company’s own. Its columns are custom table fields; its rows are read and written by column names under `/v1/api/custom-table-data/{tableName}`. Deleting it deletes its fields, rows and values, at once for readers and soon after from the disk; it raises one event. */
  readonly customTables: CustomTablesApi
  /** A column of a custom table. Its type cannot be changed while it has values (409); a new name takes effect everywhere at once. Deleting it deletes its values. */
  readonly customTableFields: CustomTableFieldsApi
  /** Rows of a custom table, addressed by its name, with their columns by name in JSON types: strings, numbers, booleans, date-times, and strings that hold JSON. Columns are in the order in which their fields were created; empty ones are left out. Each write raises an event of the row. */
  readonly customTableData: CustomTableDataApi
  /** A row of a custom table, without its columns: each column is a value, a record of its own. A row that is created here has no values yet, neither defaults nor required ones. Deleting flags the row and its values, and keeps them. */
  readonly customTableRows: CustomTableRowsApi
  /** The value of one column in one row: a string, whatever the column’s type, in the canonical form of that type (`12.5`, `true`, `2026-11-21T09:30:00.000Z`). A row has one live value of each field. Deleting flags the value and keeps it; the cell is then empty. */
  readonly customTableValues: CustomTableValuesApi
  /** The company of a key, and its settings. Its organization and its owners can change it. */
  readonly company: CompanyApi
  /** The companies of an organization. These routes take an organization’s key. */
  readonly companies: CompaniesApi
  /** The company of a key, and its settings. Its organization and its owners can change it. */
  readonly settings: SettingsApi
  /** The keys of an organization and of its companies, created with an organization’s key, or by the company’s members. A key’s value is shown once. */
  readonly keys: KeysApi
  /** The keys of an organization and of its companies, created with an organization’s key, or by the company’s members. A key’s value is shown once. */
  readonly companyKeys: CompanyKeysApi
  /** The keys of an organization and of its companies, created with an organization’s key, or by the company’s members. A key’s value is shown once. */
  readonly organizationKeys: OrganizationKeysApi
  /** The limits of companies: an organization’s own plans, and plans of all organizations. These routes take an organization’s key. */
  readonly plans: PlansApi
  /** The organization that onboards companies, as its key and the readers of its extensions see it. */
  readonly organization: OrganizationApi
  /** An offer of an organization: a name and texts, pictures, a price, and the surfaces where it appears. It is written with the organization’s key; once its `status` is `public`, anyone can read it. */
  readonly extensions: ExtensionsApi
  /** Every extension whose `status` is `public`, of all organizations, for everyone: no key is needed, and a key that is sent is ignored. */
  readonly publishedExtensions: PublishedExtensionsApi
  /** What needs the attention of a company’s people: failing webhooks, imports that ended, low stock, and sessions closed with a difference. For people who are signed in. */
  readonly alerts: AlertsApi
  /** People who sign in with e-mail address and password instead of a key. The cookie that a sign-in sets gives access to every other chapter too. The guide is docs/guides/people.md. */
  readonly console: ConsoleApi
  /** The people who can sign in to a company or an organization, and their roles. Owners change them in the console; no key can. */
  readonly members: MembersApi
  /** The people who can sign in to a company or an organization, and their roles. Owners change them in the console; no key can. */
  readonly organizationMembers: OrganizationMembersApi
  /** The people who can sign in to a company or an organization, and their roles. Owners change them in the console; no key can. */
  readonly signInRules: SignInRulesApi
  /** The people who can sign in to a company or an organization, and their roles. Owners change them in the console; no key can. */
  readonly organizationSignInRules: OrganizationSignInRulesApi

  constructor(options: ClientOptions) {
    const core = new Core(options)
    this.service = new ServiceApi(core)
    this.outlets = new OutletsApi(core)
    this.stations = new StationsApi(core)
    this.accounts = new AccountsApi(core)
    this.roles = new RolesApi(core)
    this.categories = new CategoriesApi(core)
    this.products = new ProductsApi(core)
    this.variants = new VariantsApi(core)
    this.inventory = new InventoryApi(core)
    this.catalogVisibility = new CatalogVisibilityApi(core)
    this.taxTables = new TaxTablesApi(core)
    this.customers = new CustomersApi(core)
    this.sessions = new SessionsApi(core)
    this.closings = new ClosingsApi(core)
    this.cashMovements = new CashMovementsApi(core)
    this.orders = new OrdersApi(core)
    this.transactions = new TransactionsApi(core)
    this.refunds = new RefundsApi(core)
    this.attachments = new AttachmentsApi(core)
    this.automationTriggers = new AutomationTriggersApi(core)
    this.sales = new SalesApi(core)
    this.webhookDeliveries = new WebhookDeliveriesApi(core)
    this.events = new EventsApi(core)
    this.reports = new ReportsApi(core)
    this.imports = new ImportsApi(core)
    this.exports = new ExportsApi(core)
    this.customTables = new CustomTablesApi(core)
    this.customTableFields = new CustomTableFieldsApi(core)
    this.customTableData = new CustomTableDataApi(core)
    this.customTableRows = new CustomTableRowsApi(core)
    this.customTableValues = new CustomTableValuesApi(core)
    this.company = new CompanyApi(core)
    this.companies = new CompaniesApi(core)
    this.settings = new SettingsApi(core)
    this.keys = new KeysApi(core)
    this.companyKeys = new CompanyKeysApi(core)
    this.organizationKeys = new OrganizationKeysApi(core)
    this.plans = new PlansApi(core)
    this.organization = new OrganizationApi(core)
    this.extensions = new ExtensionsApi(core)
    this.publishedExtensions = new PublishedExtensionsApi(core)
    this.alerts = new AlertsApi(core)
    this.console = new ConsoleApi(core)
    this.members = new MembersApi(core)
    this.organizationMembers = new OrganizationMembersApi(core)
    this.signInRules = new SignInRulesApi(core)
    this.organizationSignInRules = new OrganizationSignInRulesApi(core)
  }
}
