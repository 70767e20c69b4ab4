// Attachment: a file of the company, kept here or linked to.
import {
  atTimes,
  dateTime,
  integer,
  name,
  object,
  reference,
  required,
  serverOwned,
  text,
  url,
} from '../engine/field.ts'
import { resource } from '../engine/resource.ts'

export const attachment = resource({
  name: { one: 'attachment', many: 'attachments' },
  alsoCalled: ['file'],
  title: 'Attachments',
  description: 'A file of the company: kept by the service, in `file`, or stored elsewhere at `url`.',
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
    file: serverOwned(
      atTimes(
        object(
          {
            bytes: required(
              integer(1, Number.MAX_SAFE_INTEGER, { description: 'Its size in bytes.', example: 48_213 }),
            ),
            contentType: required(
              text({ description: 'The content type that it was sent with.', example: 'image/png' }),
            ),
            sha256: required(
              text({
                description: 'The SHA-256 of its bytes, in hexadecimal.',
                example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
              }),
            ),
            uploadedAt: required(dateTime({ description: 'When it was sent.', example: '2026-11-24T10:00:00.000Z' })),
          },
          { title: 'AttachmentFile', description: 'The file that the service keeps. Absent if none was sent to it.' },
        ),
      ),
    ),
  },
  remove: 'hard',
  list: { sort: ['name'], search: ['name'], exact: ['accountId'] },
  styleA: { one: ['attachment'], list: 'attachments' },
  styleB: { one: 'attachment', many: 'attachments' },
  example: { name: 'receipt.pdf', mimeType: 'application/pdf', url: 'https://files.example.com/receipt.pdf' },
})
