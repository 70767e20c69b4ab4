// The resource that a name in another form means: for messages about a name that matches nothing.
import type { Resource } from '../engine/resource.ts'
import { resources } from './index.ts'

/** A name without case and punctuation. */
export const bareName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '')

/** The resource with a name in any form: singular or plural, with any punctuation, in any case. */
export const resourceLike = (name: string): Resource | undefined =>
  resources.find(({ name: { one, many } }) => [one, many].some((other) => bareName(other) === bareName(name)))
