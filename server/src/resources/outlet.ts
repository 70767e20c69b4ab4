// Outlet: a shop, a branch, a warehouse; numbered 1, 2, 3 … in its company by the service.
import { list, name, number, object, reference, required, serverOwned } from '../engine/field.ts'
import { resource } from '../engine/resource.ts'
import { locality } from './shapes.ts'

export const outlet = resource({
  name: { one: 'outlet', many: 'outlets' },
  alsoCalled: ['location', 'store', 'shop'],
  title: 'Outlets',
  description: 'A place where the company sells or keeps stock.',
  fields: {
    name: required(name({ description: 'What staff and receipts call the outlet.', example: 'Main Street' })),
    address: name({ description: 'Street and house number.', example: '1 Main Street' }),
    address2: name({ description: 'A second line: floor, unit or building.', example: 'Ground floor' }),
    ...locality(),
    phone: name({ description: 'Phone number for customers.', example: '+1 217 555 0100' }),
    alias: name({ description: 'A short name or code, such as for receipt numbers.', example: 'MAIN' }),
    stations: list(reference(), { description: 'Ids of the stations at the outlet. The caller maintains the list.' }),
    taxId: reference({
      description: 'Tax registration or tax table that applies here, as your system names it.',
      example: 'US-IL',
    }),
    processorAccountId: reference({
      description: 'Account at the payment processor that card payments here go to.',
      example: 'acct_1Nv0FG',
    }),
    processor: object(
      { locationId: name({ description: 'Identifies the outlet at the processor.', example: 'tml_FBakXQG8bQk4Mm' }) },
      {
        title: 'OutletProcessor',
        description: 'What the payment processor needs to know about the outlet. Further members are kept.',
      },
    ),
    sequenceNumber: serverOwned(
      number({
        description: 'Number of the outlet, counted from 1 in each company. It is never used twice.',
        example: 1,
      }),
    ),
  },
  async prepare(database, drafts) {
    // One counter per company, increased by the number of new outlets; the row's lock serializes parallel creates.
    const companies = Object.entries(Object.groupBy(drafts, ({ scope }) => scope.companyId)).sort(([a], [b]) =>
      a < b ? -1 : 1,
    )
    for (const [companyId, own = []] of companies) {
      const [row] = await database.query(
        `insert into outlet_counts as counted (company_id, outlets) values ($1, $2)
         on conflict (company_id) do update set outlets = counted.outlets + excluded.outlets
         returning outlets - $2`,
        [companyId, own.length],
      )
      own.forEach(({ record }, n) => {
        record.sequenceNumber = row?.[0] + n + 1
      })
    }
  },
  remove: 'hard',
  list: { sort: ['name', 'sequenceNumber'], search: ['name'], exact: ['taxId', 'processorAccountId'] },
  styleA: { one: ['outlet'], list: 'outlets' },
  styleB: { one: 'outlet', many: 'outlets' },
  example: { name: 'Main Street', address: '1 Main Street', city: 'Springfield', country: 'US' },
})
