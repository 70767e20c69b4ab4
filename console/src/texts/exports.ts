// Texts of the export of a whole company, on its own page.
import { translated } from '../language.ts'
export const text = translated('exports', {
  title: 'Export all data',
  hint: 'One file with the data of this company: records, attachments, stock history, custom tables, closings and settings. Keep it as a copy, or use it to move the company to another server. It contains your customers’ personal data. For a spreadsheet, export a list as CSV instead, such as Orders or Closings.',
  begin: 'Export all data',
  files: 'Exports',
  states: { running: 'In progress', done: 'Ready', failed: 'Failed' },
  until: (time: string) => `kept until ${time}`,
  download: 'Download',
  downloadOf: (time: string) => `Download the export of ${time}`,
} as const)
