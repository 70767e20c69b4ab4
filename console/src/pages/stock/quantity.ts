// Quantities as people type them, paste them and read them: with a decimal comma or point, whichever they are used to.

const latin = { numberingSystem: 'latn', maximumFractionDigits: 6 } as const
const shown = new Intl.NumberFormat(undefined, latin)
const plain = new Intl.NumberFormat(undefined, { ...latin, useGrouping: false })
const parts = new Intl.NumberFormat(undefined, { ...latin, useGrouping: true }).formatToParts(12345.5)
const signOf = (type: string) => parts.find((part) => part.type === type)?.value
const groupSign = signOf('group')

/** For reading: `1,234.5`. */
export const shownQuantity = (quantity: number): string => shown.format(quantity)

/** For typing on, and for the clipboard: without signs between thousands. */
export const typedQuantity = (quantity: number): string => plain.format(quantity)

/** Digits in groups of three: `1,234,567`. */
const isGrouped = (digits: string, sign: string) => {
  const [first = '', ...groups] = digits.split(sign)
  return /^\d{1,3}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group))
}

/**
 * The number that a text stands for; undefined where it is none, or has more than the six decimals that stock has. Where
 * both signs stand, the last one is the decimal one. One that stands alone is, unless people of the place write thousands
 * so: `1,234` is 1234 in London and 1.234 in Vienna, `3,5` is 3.5 in both.
 */
export function readQuantity(text: string): number | undefined {
  const bare = text
    .replaceAll(/[\s'’]/g, '')
    .replace(/^[−–]/, '-')
    .replace(/^\+/, '')
  const [, minus, digits = ''] = /^(-?)([\d.,]*\d[\d.,]*)$/.exec(bare) ?? []
  if (minus === undefined) return undefined
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  const sign = digits[last] ?? ''
  const other = sign === '.' ? ',' : '.'
  const times = sign === '' ? 0 : digits.split(sign).length - 1
  let whole = digits
  let decimals = ''
  if (times > 1) {
    if (digits.includes(other) || !isGrouped(digits, sign)) return undefined
    whole = digits.replaceAll(sign, '')
  } else if (times === 1) {
    const before = digits.slice(0, last)
    if (before.includes(other) && !isGrouped(before, other)) return undefined
    const isThousands = !before.includes(other) && sign === groupSign && /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)
    whole = isThousands ? digits.replace(sign, '') : before.replaceAll(other, '')
    decimals = isThousands ? '' : digits.slice(last + 1)
  }
  if (decimals.replace(/0+$/, '').length > 6 || whole.replace(/^0+/, '').length > 15) return undefined
  const number = Number(`${minus}${whole || '0'}.${decimals || '0'}`)
  return Number.isFinite(number) && Math.abs(number) < 1e15 ? number || 0 : undefined
}
