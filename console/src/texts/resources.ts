// What resources are called; in English, as the server declares them.
import { translated } from '../language.ts'

interface Names {
  readonly title: string
  readonly singular: string
}

/** By their plural path names. */
export const names: Readonly<Record<string, Names>> = translated('resources', {})
