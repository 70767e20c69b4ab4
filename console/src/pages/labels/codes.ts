// The barcode of a variant: EAN-13, EAN-8 or UPC-A if its digits are one, or else Code 128.
/// <reference path="./jsbarcode.d.ts" />
import { CODE128 } from 'jsbarcode/bin/barcodes/CODE128/index.js'
import { EAN8, EAN13, UPC } from 'jsbarcode/bin/barcodes/EAN_UPC/index.js'

export interface Code {
  readonly kind: 'EAN-13' | 'EAN-8' | 'UPC-A' | 'Code 128'
  /** From left to right: `1` is a bar. */
  readonly modules: string
  /** What people read below it. */
  readonly text: string
  /** Modules that stay empty on each side, so that scanners find it. */
  readonly quiet: readonly [left: number, right: number]
}

/** Codes of other kinds are longer than any label. */
const MOST_CHARACTERS = 40

const ofDigits = [
  { kind: 'EAN-13', Encoding: EAN13, quiet: [11, 7], parts: /^(.)(.{6})(.{6})$/ },
  { kind: 'UPC-A', Encoding: UPC, quiet: [9, 9], parts: /^(.)(.{5})(.{5})(.)$/ },
  { kind: 'EAN-8', Encoding: EAN8, quiet: [7, 7], parts: /^(.{4})(.{4})$/ },
] as const

/** Undefined for a value that no barcode can hold, such as one with accents. */
export function codeOf(value: string): Code | undefined {
  for (const { kind, Encoding, quiet, parts } of ofDigits) {
    const found = parts.exec(value)
    if (found === null || !/^\d+$/.test(value)) continue
    const encoder = new Encoding(value, { flat: true })
    // Digits with a wrong check digit are another kind of number.
    if (encoder.valid()) return { kind, modules: encoder.encode().data, text: found.slice(1).join(' '), quiet }
  }
  if (!/^[\x20-\x7e]+$/.test(value) || value.length > MOST_CHARACTERS) return undefined
  const modules = new CODE128(value, { flat: true }).encode().data
  return { kind: 'Code 128', modules, text: value, quiet: [10, 10] }
}

/** The millimetres of a module on a label: the usual size, or less where the label is narrow. */
export function moduleOf({ modules, quiet: [left, right] }: Code, width: number): number {
  return Math.min(USUAL_MODULE, width / (left + modules.length + right))
}

/** A size of 100 % by the standards of EAN and UPC. */
const USUAL_MODULE = 0.33

/** What common printers can print and common scanners can read: two dots at 300 dpi. */
export const LEAST_MODULE = 0.17
