// Attachment: a link to a file that is stored elsewhere.
import { name, reference, required, text, url } from '../engine/field.ts'
import { resource } from '../engine/resource.ts'

export const attachment = resource({
  name: { one: 'attachment', many: 'attachments' },
  title: 'Attachments',
  description: 'A link to a file of the company; the file itself is stored at `url`.',
  fields: {
    accountId: reference({ description: 'The account of the person who added the file.' }),
    name: required(name({ description: 'File name as people see it.', example: 'receipt.pdf' })),
    mimeType: name({ description: 'Media type of the file.', example: 'application/pdf' }),
    originalUrl: url({
      description: 'Where the file was before it was copied to `url`.',
      example: 'https://shop.example.com/receipt.pdf',
    }),
    url: url({ description: 'Where the file can be downloaded.', example: 'https://files.example.com/receipt.pdf' }),
    path: text({
      max: 2_048,
      description: 'Where the file is inside its storage, such as the key in a bucket.',
      example: 'receipts/2026/11/receipt.pdf',
    }),
  },
  remove: 'hard',
  list: { sort: ['name'], search: ['name'], exact: ['accountId'] },
  styleA: { one: ['attachment'], list: 'attachments' },
  styleB: { one: 'attachment', many: 'attachments' },
  example: { name: 'receipt.pdf', mimeType: 'application/pdf', url: 'https://files.example.com/receipt.pdf' },
})
