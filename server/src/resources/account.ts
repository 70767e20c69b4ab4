// Account: a person who works for the company, as a record, not a sign-in.
import { email, name, required } from '../engine/field.ts'
import { resource } from '../engine/resource.ts'

export const account = resource(
  {
    name: { one: 'account', many: 'accounts' },
    title: 'Accounts',
    description: 'A person who works for the company. It is a record, not a sign-in.',
    fields: {
      email: required(
        email({
          description: 'E-mail address of the person. Two accounts may have the same address.',
          example: 'owner@example.com',
        }),
      ),
      name: name({ description: 'Full name of the person, as tills and receipts show it.', example: 'Olga Owner' }),
      phone: name({ description: 'Phone number of the person, in any notation.', example: '+1 217 555 0100' }),
    },
    remove: 'hard',
    list: { sort: ['email', 'name'], search: ['email', 'name', 'phone'] },
    styleA: { one: ['account'], list: 'accounts' },
    styleB: { one: 'account', many: 'accounts' },
    example: { email: 'owner@example.com', name: 'Olga Owner' },
  },
  { showsCompany: false },
)
