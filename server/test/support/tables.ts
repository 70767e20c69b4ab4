// What the table of a resource must have for its lists, as SQL to be put into a migration (docs: CONTRIBUTING.md).

import { SEARCHED_CHARACTERS } from '../../src/core/limits.ts'
import { memberColumns, recordOf } from '../../src/engine/columns.ts'
import { isLongText } from '../../src/engine/field.ts'
import { hasEnclosedPair } from '../../src/engine/lists/search-conditions.ts'
import { type Resource, snakeCase } from '../../src/engine/resource.ts'

/** A table as the database has it. */
export interface Table {
  readonly columns: readonly string[]
  /** As `pg_get_indexdef` writes them. */
  readonly indexes: readonly string[]
}

/** The type of a member's column, its expression, and its value for an unset member. */
function columnOf({ fields, list }: Resource, member: string) {
  const comparison = fields[member]?.comparison
  if (list.any.includes(member)) return { type: 'jsonb', held: `(body -> '${member}')::jsonb`, unset: 'null' }
  if (comparison === 'number') {
    const held = `coalesce((body ->> '${member}')::numeric, '-Infinity')`
    return { type: 'numeric', held, unset: "'-Infinity'" }
  }
  const text = `coalesce(body ->> '${member}', '')`
  const held = isLongText(fields[member]) ? `left(${text}, ${SEARCHED_CHARACTERS})` : text
  return { type: 'text collate "C"', held, unset: "''" }
}

/** A condition that is true where a column differs from what the body says, written in another way than the statements are. */
export function columnDiffers(resource: Resource): string {
  const { moment, fields, remove, list, unique } = resource
  const own = [...new Set(Object.values(list).flat().concat(unique))].filter((member) => member !== moment)
  const pairs = [
    ...['createdAt', ...(fields.updatedAt ? ['updatedAt'] : []), ...(moment ? [moment] : [])].map((member) => [
      member,
      `body ->> '${member}'`,
    ]),
    ...own.map((member) => [member, columnOf(resource, member).held]),
    ...(remove === 'soft' ? [['isDeleted', "(body ->> 'isDeleted')::boolean"]] : []),
  ]
  return pairs.map(([member, held]) => `${snakeCase(member as string)} is distinct from ${held}`).join(' or ')
}

/** Statements for the next migration, and slow ones for the one after it. A migration's locks last until its end. */
interface Missing {
  readonly next: readonly string[]
  readonly after: readonly string[]
}

/** Statements that make the table fit its resource. `there` is the existing table, undefined for a new resource. */
export function missingOf(resource: Resource, there: Table | undefined): Missing {
  const { table, fields, list, unique, remove } = resource
  const members = [...new Set(Object.values(list).flat().concat(unique))]
  const missing = members.filter((member) => !there?.columns.includes(snakeCase(member)))
  const next = there ? missing.flatMap((member) => addedColumn(resource, member)) : newTable(resource, members)
  // Rows from before lists used the member. Nothing here shows whether the member itself is new, and no row has it.
  const statements = missing
    .filter((member) => member !== resource.moment)
    .map((member) => `update ${table} set body = body where body -> '${member}' is not null;`)
  if (!there) statements.length = 0
  const live = remove === 'soft' ? ', is_deleted' : ''
  const index = (name: string, columns: string) => {
    const beginning = `(${columns.replace(live, '')}`
    const isThere = there?.indexes.some((definition) => definition.toLowerCase().includes(beginning))
    if (!isThere) statements.push(`create index ${table}_${name} on ${table} (${columns});`)
  }
  const sorted = new Set(['createdAt', ...(fields.updatedAt ? ['updatedAt'] : []), ...list.sort, ...list.range])
  for (const member of sorted) {
    const column = snakeCase(member)
    const value = member === resource.moment ? `coalesce(${column}, created_at)` : column
    index(column, `company_id, ${value}, id${live}`)
  }
  for (const column of list.exact.filter((member) => !sorted.has(member)).map(snakeCase))
    index(`by_${column}`, `company_id, ${column}, created_at, id${live}`)
  const sought = [...list.search, ...list.any].filter((member) => {
    const isIn = new RegExp(`using gin .*\\b${snakeCase(member)}\\b`, 'i')
    return !there?.indexes.some((definition) => isIn.test(definition))
  })
  for (const column of sought.filter((member) => isLongText(fields[member])).map(snakeCase))
    statements.push(
      `create index ${table}_long_${column} on ${table} (company_id) where length(${column}) = ${SEARCHED_CHARACTERS};`,
    )
  if (sought.length > 0) {
    const columns = sought.map((member) => {
      const column = snakeCase(member)
      return list.any.includes(member) ? column : `upper(${column} collate "und-x-icu") gin_trgm_ops`
    })
    const name = there ? `search_${sought.map(snakeCase).join('_')}` : 'search'
    statements.push(`create index ${table}_${name} on ${table} using gin (company_id, ${columns.join(', ')});`)
  }
  // Texts that a search for two letters finds by no trigram (engine/lists/search-conditions.ts).
  const enclosing = list.search.filter((member) => {
    const column = snakeCase(member)
    return !there?.indexes.some((definition) => definition.includes(`octet_length(${column})`))
  })
  if (enclosing.length > 0) {
    const name =
      there && enclosing.length < list.search.length ? `pairs_${enclosing.map(snakeCase).join('_')}` : 'pairs'
    const predicate = enclosing.map((member) => hasEnclosedPair(snakeCase(member))).join('\n  or ')
    statements.push(`create index ${table}_${name} on ${table} (company_id) where ${predicate};`)
  }
  const alone = unique.map(snakeCase).join(', ')
  const isAlone = new RegExp(`^create unique index .*\\(company_id, .*${unique.map(snakeCase).join('.*')}`, 'i')
  if (unique.length > 0 && !there?.indexes.some((definition) => isAlone.test(definition)))
    statements.push(
      `create unique index ${table}_${live ? 'live' : 'one'} on ${table} (company_id, ${alone})${live && ' where not is_deleted'};`,
    )
  return there ? { next, after: statements } : { next: [...next, ...statements], after: [] }
}

/** A table whose columns the statements set; a trigger does so for other writes. */
function newTable(resource: Resource, members: readonly string[]): string[] {
  const { table, fields, remove } = resource
  const lines = [
    'company_id text collate "C" not null',
    'id text collate "C" not null',
    'version integer not null default 1',
    'body json not null',
    'created_at text collate "C" not null',
    ...(fields.updatedAt ? ['updated_at text collate "C" not null'] : []),
    ...members.map((member) => {
      const { type, unset } = columnOf(resource, member)
      return `${snakeCase(member)} ${type}${member === resource.moment || unset === 'null' ? '' : ' not null'}`
    }),
    ...(remove === 'soft' ? ['is_deleted boolean not null'] : []),
    'primary key (company_id, id)',
  ]
  return [
    `create table ${table} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n) with (autovacuum_analyze_scale_factor = 0.02);`,
    ...columnTriggers(resource),
  ]
}

/** The triggers that set the columns of rows whose statement does not. */
function columnTriggers(resource: Resource): string[] {
  const { table, moment } = resource
  // Statements set the moment in every write.
  const columns = memberColumns(resource).filter(({ member }) => member !== moment)
  const name = `${table}_columns`
  return [
    `create function ${name}() returns trigger language plpgsql as $$ begin
  select ${columns.map(({ value }) => value).join(', ')}
  into ${columns.map(({ column }) => `new.${column}`).join(', ')}
  from ${recordOf('new.body', columns)};
  return new;
end $$;`,
    `create trigger ${name}_inserted before insert on ${table} for each row when (new.created_at is null) execute function ${name}();`,
    `create trigger ${name}_updated before update of body on ${table} for each row when (new.updated_at = old.updated_at) execute function ${name}();`,
  ]
}

/** A generated column would rewrite every row and block reads. A default and a trigger cost nothing at first. */
function addedColumn(resource: Resource, member: string): string[] {
  const { type, held, unset } = columnOf(resource, member)
  const { table } = resource
  const column = snakeCase(member)
  const isNull = unset === 'null'
  const name = `${table}_${column}`
  if (member === resource.moment) return [`alter table ${table} add column ${column} ${type};`]
  return [
    `alter table ${table} add column ${column} ${type}${isNull ? '' : ` not null default ${unset}`};`,
    `create function ${name}() returns trigger language plpgsql as $$ begin new.${column} := ${held.replace('body', 'new.body')}; return new; end $$;`,
    `create trigger ${name} before insert or update of body on ${table} for each row execute function ${name}();`,
  ]
}
