// The length of the longest figure of a row: the stylesheet computes from it the font size at which all figures fit.
import type { CSSProperties } from 'react'

export const fitted = (figures: readonly string[]): CSSProperties =>
  ({ '--characters': Math.max(...figures.map(({ length }) => length)) }) as CSSProperties
