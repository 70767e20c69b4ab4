// The labels that can be printed on: sheets of paper with a grid of labels, and rolls with one label after another.

export interface LabelFormat {
  readonly id: string
  /** Millimetres. */
  readonly width: number
  readonly height: number
  /** Undefined for a roll. */
  readonly sheet?: {
    readonly size: 'A4' | 'letter'
    readonly columns: number
    readonly rows: number
    /** Between two columns. */
    readonly gap: number
  }
  /** The maker's number that people know it by. */
  readonly known?: string
}

const sheet = (
  [columns, rows]: readonly [number, number],
  [width, height]: readonly [number, number],
  known: string,
  { size = 'A4', gap = 2.5 }: { size?: 'A4' | 'letter'; gap?: number } = {},
): LabelFormat => ({ id: known, width, height, known, sheet: { size, columns, rows, gap } })

const roll = (width: number, height: number, known?: string): LabelFormat => ({
  id: `${width}x${height}`,
  width,
  height,
  ...(known !== undefined && { known }),
})

export const formats: readonly LabelFormat[] = [
  sheet([3, 7], [63.5, 38.1], 'Avery L7160'),
  sheet([3, 8], [63.5, 33.9], 'Avery L7159'),
  sheet([2, 7], [99.1, 38.1], 'Avery L7163'),
  sheet([4, 10], [48.5, 25.4], 'Avery 3657', { gap: 0 }),
  sheet([5, 13], [38.1, 21.2], 'Avery L7651'),
  sheet([3, 10], [66.7, 25.4], 'Avery 5160', { size: 'letter', gap: 3.175 }),
  roll(57, 32, 'Dymo 11354'),
  roll(54, 25, 'Dymo 11352'),
  roll(62, 29, 'Brother DK-11209'),
  roll(50.8, 25.4, 'Zebra 2 × 1 in'),
  roll(40, 20),
  roll(100, 50),
]

const paper = { A4: [210, 297], letter: [215.9, 279.4] } as const

/** The size of a page in millimetres: the sheet, or a single label of a roll. */
export const pageOf = ({ sheet, width, height }: LabelFormat): readonly [width: number, height: number] =>
  sheet === undefined ? [width, height] : paper[sheet.size]

/** How many labels a page has. */
export const perPage = ({ sheet }: LabelFormat): number => (sheet === undefined ? 1 : sheet.columns * sheet.rows)

/** Where the nth label of a page is, in millimetres: the grid is in the middle of the sheet. */
export function placeOf(format: LabelFormat, n: number): { readonly left: number; readonly top: number } {
  const { sheet, width, height } = format
  if (sheet === undefined) return { left: 0, top: 0 }
  const [pageWidth, pageHeight] = pageOf(format)
  const { columns, rows, gap } = sheet
  const left = (pageWidth - columns * width - (columns - 1) * gap) / 2
  const top = (pageHeight - rows * height) / 2
  return { left: left + (n % columns) * (width + gap), top: top + Math.floor(n / columns) * height }
}
