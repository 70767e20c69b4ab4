// Changes amounts by percent, exactly: in whole millionths, since 1.1 × 1.15 is not exact as a floating point number.
import { locale } from '../../language.ts'

/** What a changed amount is rounded to, in millionths: to multiples of `step`, each less `less`. */
interface Rounding {
  readonly step: bigint
  readonly less: bigint
}

const millionths = (value: number): bigint => BigInt(Math.round(value * 1e6))

/** The roundings of a currency by its decimal places, with their names: 0.01, 0.05, 0.10, 1 and .99 of a euro. */
export function roundingsOf(digits: number): readonly { readonly label: string; readonly rounding: Rounding }[] {
  const unit = 10n ** BigInt(6 - Math.min(6, digits))
  // Without decimal places, such as for yen, prices end with 99.
  const whole = digits === 0 ? 100n : 10n ** BigInt(digits)
  const shown = (steps: number) =>
    (steps / 10 ** digits).toLocaleString(locale, { minimumFractionDigits: steps < 10 ** digits ? digits : 0 })
  const ending = digits === 0 ? '99' : shown(10 ** digits - 1).slice(1)
  return [
    // Shops whose currency has cents that nobody pays with, such as rupees, have whole prices.
    ...[...new Set([1, 5, 10, 10 ** digits])].map((steps) => ({
      label: shown(steps),
      rounding: { step: BigInt(steps) * unit, less: 0n },
    })),
    { label: ending, rounding: { step: whole * unit, less: unit } },
  ]
}

/** An amount changed by percent, rounded half up; at least the first positive multiple. */
export function changedBy(amount: number, percent: number, { step, less }: Rounding): number {
  const scale = 100_000_000n
  const exact = millionths(amount) * (scale + millionths(percent))
  const whole = step * scale
  const times = (2n * (exact + less * scale) + whole) / (2n * whole)
  const rounded = (times > 0n || amount === 0 ? times : 1n) * step
  return amount === 0 ? 0 : Number(rounded - less) / 1e6
}
