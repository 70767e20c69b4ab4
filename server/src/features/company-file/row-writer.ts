// Writes rows of a company's file to their tables, some hundred per statement, as the text that the file has.
import type pg from 'pg'
import { OperatorError } from '../../core/operator-error.ts'
import { queryable } from '../../database/alone.ts'
import { type FileColumns, readColumns } from './rows.ts'

/** Rows and characters of one statement. */
const ROWS = 500
const CHARACTERS = 4 << 20

/** The company to be created, with its organization and plan. */
interface Owner {
  readonly companyId: string
  readonly organizationId: string
  readonly planId: string
}

/** Collects rows of one table and writes them together; the caller owns the transaction, and flushes at the end. */
export class RowWriter {
  readonly #client: pg.Client
  readonly #columns: FileColumns
  readonly #owner: Owner
  #table = ''
  #rows: string[] = []
  #characters = 0

  private constructor(client: pg.Client, columns: FileColumns, owner: Owner) {
    this.#client = client
    this.#columns = columns
    this.#owner = owner
  }

  static async open(client: pg.Client, owner: Owner): Promise<RowWriter> {
    return new RowWriter(client, await readColumns(queryable(client)), owner)
  }

  async write(table: string, row: string): Promise<void> {
    if (table !== this.#table) await this.flush()
    this.#table = table
    this.#rows.push(row)
    this.#characters += row.length
    if (this.#rows.length >= ROWS || this.#characters >= CHARACTERS) await this.flush()
  }

  async flush(): Promise<void> {
    const [first] = this.#rows
    if (first === undefined) return
    const rows = `[${this.#rows.join(',')}]`
    const wanted = this.#rows.length
    this.#rows = []
    this.#characters = 0
    const known = this.#columns.get(this.#table)
    if (known === undefined) throw unknown(this.#table)
    // Every row of a table has the same members. A file of an earlier version lacks newer columns: they get their defaults.
    const columns = Object.keys(JSON.parse(first))
    for (const column of columns) if (!known.has(column)) throw unknown(`${this.#table}.${column}`)
    if (this.#table === 'companies') return await this.#writeCompany(rows, columns, known)
    if (this.#table === 'events') await this.#client.query('select begin_events($1)', [this.#owner.companyId])
    const typed = columns.map((column) => `${column} ${known.get(column)}`).join(', ')
    const names = columns.join(', ')
    const { rowCount } = await this.#client.query({
      text: `insert into ${this.#table} (company_id, ${names})
        select $1, ${names} from json_to_recordset($2::json) as line(${typed})
        ${known.has('body') ? `where coalesce(body #>> '{companyId,$oid}', body ->> 'companyId', $1) = $1` : ''}`,
      values: [this.#owner.companyId, rows],
    })
    if (rowCount !== wanted) throw foreign(this.#table)
  }

  async #writeCompany(rows: string, columns: readonly string[], known: ReadonlyMap<string, string>): Promise<void> {
    const names = columns.join(', ')
    const line = `json_to_recordset($1::json) as line(${columns.map((column) => `${column} ${known.get(column)}`).join(', ')})`
    const { companyId, organizationId, planId } = this.#owner
    const { rowCount } = await this.#client.query({
      text: `insert into companies (organization_id, plan_id, ${names}) select $3, $4, ${names} from ${line} where id = $2`,
      values: [rows, companyId, organizationId, planId],
    })
    if (rowCount !== 1) throw foreign('companies')
  }
}

const unknown = (what: string) =>
  new OperatorError(`The file has ${what}, which this version of Cashwrap does not know. Upgrade this server first.`)
const foreign = (table: string) =>
  new OperatorError(`The file has rows of another company (${table}). Nothing was imported.`)
