// The guides that the build made of docs/guides, each in a file that is loaded when it is opened.

const nameOf = (path: string): string => path.replace(/^.*\/|\.md(\?.*)?$/g, '')

const titles = import.meta.glob('../../../../docs/guides/*.md', { query: '?title', import: 'default', eager: true })
const pages = import.meta.glob('../../../../docs/guides/*.md', { import: 'default' }) as Readonly<
  Record<string, () => Promise<string>>
>

interface Guide {
  /** In its address. */
  readonly name: string
  readonly title: string
}

/** For people first, then for programmers; the others follow by name. */
const order = ['console', 'people', 'import', 'closing-the-till', 'reports', 'custom-tables', 'ten-minutes', 'recipes']
const placeOf = ({ name }: Guide): number => (order.includes(name) ? order.indexOf(name) : order.length)

export const guides: readonly Guide[] = Object.entries(titles)
  .map(([path, title]) => ({ name: nameOf(path), title: String(title) }))
  .toSorted((one, other) => placeOf(one) - placeOf(other) || one.title.localeCompare(other.title))

const loaders = new Map(Object.entries(pages).map(([path, load]) => [nameOf(path), load]))

/** The HTML of a guide. */
export const readGuide = async (name: string): Promise<string | null> => (await loaders.get(name)?.()) ?? null
