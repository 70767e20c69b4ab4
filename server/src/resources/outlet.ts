// Outlet: a shop, a branch, a warehouse; numbered 1, 2, 3 … in its company by the service.
import { list, name, number, object, reference, required, serverOwned } from '../engine/field.ts'
import { resource } from '../engine/resource.ts'

export const outlet = resource({
  name: { one: 'outlet', many: 'outlets' },
  title: 'Outlets',
  description: 'A place where the company sells or keeps stock.',
  fields: {
    name: required(name()),
    address: name(),
    address2: name(),
    city: name(),
    state: name(),
    country: name(),
    postCode: name(),
    phone: name(),
    alias: name(),
    stations: list(reference()),
    taxId: reference(),
    processorAccountId: reference(),
    processor: object({ locationId: name() }),
    sequenceNumber: serverOwned(number({ description: '1, 2, 3 … in the company.' })),
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
