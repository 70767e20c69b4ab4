// What a service of the comparison declares: how it is installed, filled and started, and the requests that do each job there.
import type { Connection } from '../../server/src/database/connect.ts'
import type { Customer } from './records.ts'

/** Where one service lives during a run. */
export interface Place {
  /** Its own folder, outside of the repository. */
  readonly folder: string
  /** Its own database. */
  readonly connection: Connection & { readonly host: string; readonly database: string }
  /** The same database as a URL. */
  readonly databaseUrl: string
  readonly port: number
  /** The records to begin with. */
  readonly records: readonly Customer[]
  /** Runs a statement in its database. */
  query(text: string, values?: readonly unknown[]): Promise<any[]>
  /** Runs a program with the Node of the run, in its folder, to its end. */
  node(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>
}

/** A program that serves, run by Node in the service's folder. */
export interface Command {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** The requests of the comparison, as paths with their query; bodies and paths may contain marks. */
export interface Requests {
  readonly headers?: Readonly<Record<string, string>>
  readonly read: string
  /** 100 customers of one outlet, the latest first. */
  readonly list: string
  /** The same with the exact number of all that match. */
  readonly counted: string
  /** Customers whose last name contains a text. */
  readonly search: string
  readonly create: { readonly path: string; readonly body: object }
  readonly bulk?: { readonly path: string; readonly body: (records: readonly Customer[]) => object }
}

/** One service of the comparison. */
export interface Rival {
  /** The name for `--only`, of its folder and of its database. */
  readonly name: string
  /** Its name and version in the tables. */
  readonly label: string
  /** Files of this folder that are copied into its own; its `package.json` pins the versions. */
  readonly files?: readonly string[]
  readonly npmFlags?: readonly string[]
  /** A step after the installation. */
  build?(place: Pick<Place, 'node'>): Promise<unknown>
  /** Makes tables and loads the records; returns what a caller authenticates with. */
  prepare(place: Place): Promise<string>
  command(place: Place): Command
  /** A path that is answered 2xx as soon as it serves. */
  readonly readyPath: string
  /** The table of its customers. */
  readonly table: string
  requests(url: string, credential: string): Promise<Requests>
}
