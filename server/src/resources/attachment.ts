// Attachment: a link to a file that is stored elsewhere.
import { name, reference, required, text, url } from '../engine/field.ts'
import { resource } from '../engine/resource.ts'

export const attachment = resource({
  name: { one: 'attachment', many: 'attachments' },
  title: 'Attachments',
  description: 'A link to a file of the company; the file itself is stored at `url`.',
  fields: {
    accountId: reference(),
    name: required(name()),
    mimeType: name(),
    originalUrl: url(),
    url: url(),
    path: text({ max: 2_048 }),
  },
  remove: 'hard',
  list: { sort: ['name'], search: ['name'], exact: ['accountId'] },
  styleA: { one: ['attachment'], list: 'attachments' },
  styleB: { one: 'attachment', many: 'attachments' },
  example: { name: 'receipt.pdf', mimeType: 'application/pdf', url: 'https://files.example.com/receipt.pdf' },
})
