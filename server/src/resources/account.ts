// Account: a person who works for the company, as a record, not a sign-in.
import { email, name, required } from '../engine/field.ts'
import { resource } from '../engine/resource.ts'

export const account = resource(
  {
    name: { one: 'account', many: 'accounts' },
    title: 'Accounts',
    description: 'A person who works for the company. It is a record, not a sign-in.',
    fields: { email: required(email()), name: name(), phone: name() },
    remove: 'hard',
    list: { sort: ['email', 'name'], search: ['email', 'name', 'phone'] },
    styleA: { one: ['account'], list: 'accounts' },
    styleB: { one: 'account', many: 'accounts' },
    example: { email: 'owner@example.com', name: 'Olga Owner' },
  },
  { showsCompany: false },
)
