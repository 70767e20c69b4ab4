// The columns that a company's own tables add to its customers, as declarations for TypeScript: what `cashwrap-types` writes.
import { comment, indented, membersOf, type Schema } from './schema-types.ts'

/** Schemas that a company's own columns extend, and the interfaces that declare the columns. */
export const extended: Readonly<Record<string, string>> = {
  Customer: 'CustomerColumns',
  CustomerCreate: 'CustomerCreateColumns',
  CustomerUpdate: 'CustomerUpdateColumns',
}

/** An OpenAPI document of the service. */
interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Declares what a company's document has beyond the document that everybody gets. */
export function companyTypes(own: Document, plain: Document): string {
  const interfaces = Object.entries(extended).map(([name, columns]) => {
    const { properties = {}, required = [] } = own.components.schemas[name] ?? {}
    const known = plain.components.schemas[name]?.properties ?? {}
    const added = Object.entries(properties).filter(([member]) => !(member in known))
    return `interface ${columns} {\n${membersOf({ properties: Object.fromEntries(added), required })}}\n`
  })
  const head = comment('Columns of the company’s own tables. Written by `npx cashwrap-types`.')
  return indented(`${head}import '@cashwrap/sdk'\n\ndeclare module '@cashwrap/sdk' {\n${interfaces.join('\n')}}\n`)
}
