// Texts of the price sheet.
import { locale, translated } from '../language.ts'

const prices = (count: number): string => (count === 1 ? '1 price' : `${count.toLocaleString(locale)} prices`)
const rows = (count: number): string => (count === 1 ? '1 row' : `${count.toLocaleString(locale)} rows`)

export const text = translated('prices', {
  title: 'Prices',
  grid: 'Prices of variants',
  in: (name: string, currency: string) => `${name} (${currency})`,
  columns: { price: 'Price', salePrice: 'Sale price', isOnSale: 'On sale', costPrice: 'Cost' },
  yes: 'Yes',
  no: 'No',
  /** What a pasted cell may say, in lower case. */
  yesWords: ['1', 'yes', 'true', 'y', 'x'],
  noWords: ['0', 'no', 'false', 'n', '-', '–'],
  notYesOrNo: (typed: string) => `“${typed}” is neither yes nor no.`,
  gone: 'The variant no longer exists.',
  changePercent: 'Change by percent',
  what: 'What changes',
  targets: {
    price: 'Price',
    salePrice: 'Sale price',
    costPrice: 'Cost',
    saleFromPrice: 'Sale price, from the price',
  },
  percent: 'Percent',
  percentHint: '5 or -10',
  atLeast: 'Enter more than -100.',
  missingPercent: 'Enter a percentage.',
  atMost: 'Enter at most 10,000.',
  rounding: 'Round to',
  whichRows: 'Which rows',
  selectedRows: (count: number) => `Selected (${count.toLocaleString(locale)})`,
  allRows: (count: number) => `All matching (${count.toLocaleString(locale)})`,
  reading: (read: number, all: number | undefined) =>
    `${read.toLocaleString(locale)}${all === undefined ? '' : ` of ${all.toLocaleString(locale)}`} rows read…`,
  before: 'Before',
  after: 'After',
  willChange: (count: number) => `${prices(count)} will change.`,
  without: (count: number) =>
    `${rows(count)} without a value ${count === 1 ? 'stays' : 'stay'} as ${count === 1 ? 'it is' : 'they are'}.`,
  firstOnly: (count: number) => `The first ${count.toLocaleString(locale)} are shown.`,
  apply: (count: number) => `Change ${prices(count)}`,
  applied: (count: number) => `${prices(count)} changed. Save to apply them, or undo.`,
  saleAbove: (count: number) =>
    count === 1
      ? '1 sale price is above its price.'
      : `${count.toLocaleString(locale)} sale prices are above their prices.`,
  help: [
    ['Arrows, Tab', 'Move between cells'],
    ['0–9', 'Type a new price'],
    ['Enter, F2', 'Edit the price'],
    ['Space', 'Switch On sale'],
    ['Esc', 'Cancel editing; leave the sheet'],
    ['Delete', 'Remove the price'],
    ['Shift + arrows', 'Select several cells'],
    ['Ctrl + C, Ctrl + V', 'Copy and paste, also from a spreadsheet'],
    ['Ctrl + D, Ctrl + R', 'Fill down, fill to the right'],
    ['Ctrl + Z, Ctrl + Y', 'Undo, redo'],
    ['Ctrl + S', 'Save'],
    ['/', 'Find a variant'],
    ['Alt + ↓', 'Resolve a refused cell'],
  ] as readonly (readonly [string, string])[],
} as const)
