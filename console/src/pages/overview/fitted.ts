// How long the figures of a row are, from which their style computes the size in which the longest fits into its place.
import type { CSSProperties } from 'react'

export const fitted = (figures: readonly string[]): CSSProperties =>
  ({ '--characters': Math.max(...figures.map(({ length }) => length)) }) as CSSProperties
