// An extension: an offer of an organization to the shops of its companies, or, once it is public, to everyone.

import { newId } from '../../core/ids.ts'
import { bodyError, type MemberError } from '../../core/problem.ts'
import { canonicalWebUrl } from '../../core/web-url.ts'
import {
  choice,
  description,
  type Field,
  list,
  number,
  object,
  required,
  visibleName,
  webUrl,
  word,
} from '../../engine/field.ts'
import type { JsonObject } from '../../engine/record.ts'
import { resource } from '../../engine/resource.ts'

/** Pictures of an extension, and surfaces. */
const EXTENSION_PARTS = 100

/**
 * A surface where an extension appears: a page, an app, a button at a till. Further members are stored for its
 * organization.
 */
interface ExtensionSurface extends JsonObject {
  readonly id?: string
  readonly platform?: string
  readonly type?: string
  readonly url?: string
}

/** Public pages turn them into links and pictures, so `javascript:`, `data:` and relative paths are refused. */
const shownUrl = (about: string) =>
  webUrl({ description: `${about} An absolute http or https URL: it is shown on public pages.` })

const few = <T>(of: Field<T[]>): Field<T[]> => ({ ...of, schema: { ...of.schema, maxItems: EXTENSION_PARTS } })

const surfaces: Field<ExtensionSurface[]> = {
  ...few(
    list(
      object(
        {
          id: word([], { description: 'Identifies the surface within the extension.', example: 'till' }),
          platform: word(['web', 'ios', 'android', 'windows', 'all'], { description: 'Where it runs.' }),
          type: word(['link', 'page', 'app', 'checkout'], { description: 'How it is opened.' }),
          url: shownUrl('The URL that it opens; defaults to the `website` of the extension.'),
        },
        { title: 'ExtensionSurface' },
      ),
      { description: 'Where the extension appears. A surface without an `id` gets one; ids must be unique.' },
    ) as Field<ExtensionSurface[]>,
  ),
  check: twice,
  canonical: (sent) =>
    sent.map((surface) => ({
      ...surface,
      ...(surface.url !== undefined && { url: canonicalWebUrl(surface.url) }),
      id: surface.id ?? newId(),
    })),
}

function twice(value: unknown, at: string): MemberError[] {
  if (!Array.isArray(value)) return []
  const seen = new Set<unknown>()
  return value.flatMap((surface, n) => {
    const id = surface?.id
    if (typeof id === 'string' && seen.has(id))
      return [bodyError(`${at}/${n}/id`, 'duplicate', 'is the id of another surface of the extension')]
    seen.add(id)
    return []
  })
}

const statuses = choice(['draft', 'public', 'archived'])

export const extension = resource(
  {
    name: { one: 'extension', many: 'extensions' },
    title: 'Extensions',
    description:
      'An offer of an organization: a name and texts, pictures, a price, and the surfaces where it appears. It is written with the organization’s key; once its `status` is `public`, anyone can read it.',
    fields: {
      name: required(visibleName({ description: 'What shops call the extension.' })),
      description: description({ description: 'The full text for shops. HTML is stored as it is.' }),
      shortDescription: description({ description: 'A sentence or two for lists.' }),
      category: word([], {
        description: 'The group under which lists show it; any word. The public list filters by it.',
        example: 'marketing',
      }),
      status: {
        ...statuses,
        schema: {
          ...statuses.schema,
          default: 'draft',
          description: 'Only `public` extensions are shown to everyone.',
        },
      },
      icon: shownUrl('A small picture.'),
      gallery: few(list(shownUrl('A picture.'), { description: 'URLs of pictures, the main one first.' })),
      website: shownUrl('A page with more information.'),
      price: number({ description: 'What it costs, for people to read. The service charges nothing.', example: 9.5 }),
      surfaces,
    },
    remove: 'hard',
    list: {},
    styleA: null,
    styleB: null,
    example: {
      name: 'Loyalty cards',
      shortDescription: 'Points with each sale.',
      description: 'Gives points with each sale, and takes them at the till.',
      category: 'marketing',
      status: 'public',
      icon: 'https://example.com/loyalty/icon.png',
      gallery: ['https://example.com/loyalty/till.png'],
      website: 'https://example.com/loyalty',
      price: 9.5,
      surfaces: [{ id: 'till', platform: 'web', type: 'page', url: 'https://example.com/loyalty/till' }],
    },
  },
  { showsCompany: false },
)

/** A surface for the public: its further members are unchecked, so only its organization sees them. */
export const shownSurface = ({ id, platform, type, url }: ExtensionSurface): ExtensionSurface =>
  Object.fromEntries(Object.entries({ id, platform, type, url }).filter(([, value]) => value !== undefined))

/**
 * The surfaces as a client that opens them needs them: each with id, platform, type and URL. One without a platform is
 * for `all`, one without a type is a `link`, one without a URL opens the website; without a website either, it is left
 * out.
 */
export function resolvedExtension({
  surfaces = [],
  website,
}: {
  surfaces?: readonly ExtensionSurface[]
  website?: string
}): ExtensionSurface[] {
  return surfaces.flatMap(({ id, platform = 'all', type = 'link', url = website }) =>
    url === undefined ? [] : [{ id, platform, type, url } as ExtensionSurface],
  )
}
