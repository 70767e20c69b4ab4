// Texts of the export of a whole company, on its own page.
import { translated } from '../language.ts'
export const text = translated('exports', {
  title: 'Export all data',
  hint: 'One file with everything that this company has: records, attachments, stock history, custom tables, closings and settings. Keep it as a copy, or move the company to another server with it. It contains personal data of your customers. For a spreadsheet, export a list as CSV instead, such as Orders or Closings.',
  begin: 'Export all data',
  files: 'Exports',
  states: { running: 'Being written', done: 'Ready', failed: 'Failed' },
  until: (time: string) => `kept until ${time}`,
  download: 'Download',
  downloadOf: (time: string) => `Download the export of ${time}`,
} as const)
