// Tax table: rates of tax under a name, and the products and outlets that they apply to.
import { flag, list, name, number, object, reference, required, usualWord } from '../engine/field.ts'
import { resource } from '../engine/resource.ts'

/** Rates of one table, and taxes of one line: countries have up to four levels of them. */
export const RATES = 20

/** The highest rate in percent. */
export const RATE = 1_000

const percentage = number({ description: 'The rate in percent: `20` is 20 %.', example: 20 })
const rates = list(
  object(
    {
      id: reference({ description: 'Identifies the rate in your system.', example: 'vat-20' }),
      name: name({ description: 'What receipts call the tax.', example: 'VAT' }),
      percentage: required({ ...percentage, schema: { ...percentage.schema, minimum: 0, maximum: RATE } }),
      compounding: flag({
        description: 'Whether it is computed on the price plus the taxes of lower `priority`, not on the price alone.',
      }),
      priority: number({
        description:
          'The order in which the taxes are computed, the lowest first. By default, their position here, from 1.',
        example: 1,
      }),
    },
    { title: 'TaxRate', description: 'One tax of a tax table.' },
  ),
  {
    description: `The taxes that a line gets, at most ${RATES}. A table without rates is for products that are not taxed.`,
  },
)

export const taxTable = resource({
  name: { one: 'tax-table', many: 'tax-tables' },
  alsoCalled: ['tax', 'tax-rate'],
  title: 'Tax tables',
  description:
    'Tax rates for sale lines without `taxes`. A product names its table in `taxTable`, by id or name. Products that name none get the table that applies to their type and outlet, else the default one.',
  fields: {
    name: required(name({ description: 'What staff and receipts call the table.', example: 'Standard rate' })),
    rates: { ...rates, schema: { ...rates.schema, maxItems: RATES } },
    isTaxInclusive: flag({
      description:
        'Whether prices contain these taxes. It counts for sales that do not send `summary.isTaxInclusive`, if a line gets its taxes from the table.',
    }),
    productTypes: list(usualWord(['simple', 'variable'], {}), {
      description:
        'Types of products (`productType`) that the table is for. All types if the list is empty or missing.',
      example: ['simple'],
    }),
    outletIds: list(reference(), {
      description: 'Ids of the outlets that the table is for. All outlets if the list is empty or missing.',
    }),
    isDefault: flag({
      description: 'Whether this is the table of products that name none and that no other table is meant for.',
    }),
  },
  remove: 'hard',
  list: { sort: ['name'], search: ['name'], any: ['productTypes', 'outletIds'] },
  styleA: { one: ['tax-table'], list: 'tax-tables' },
  styleB: { one: 'tax-table', many: 'tax-tables' },
  example: { name: 'Standard rate', rates: [{ id: 'vat-20', name: 'VAT', percentage: 20 }], isTaxInclusive: true },
})
