// The declarations of all resources, as a company has them, for programs that make forms and lists of them.
import { boolean, type JsonSchema, object, string } from '../../core/json-schema.ts'
import { type Resource, spoken } from '../../engine/resource.ts'
import { type Call, json, type Route } from '../../http/route.ts'

const strings: JsonSchema = { type: 'array', items: { type: 'string' } }

const declared: JsonSchema = object('ResourceDeclaration', {
  one: string('Name in Style B paths: `/v1/{one}/{id}`.'),
  many: string('Name in list paths: `/v1/{many}`.'),
  title: string('Heading of its chapter in the reference.'),
  singular: string('Name of one record within a sentence: `automation trigger`.'),
  description: string('Describes a record in one or two sentences.'),
  members: {
    type: 'array',
    description: 'The members of a record, in the order of forms.',
    items: object(
      'MemberDeclaration',
      {
        name: string('Name of the member in JSON.'),
        schema: {
          type: 'object',
          description:
            'The accepted values, as a JSON Schema; `x-refers-to` in it names the resource whose ids are accepted, as in `/v1/{many}`.',
        },
        isRequired: boolean('Whether it is required on create.'),
        isServerOwned: boolean('Set by the service, and ignored in request bodies.'),
        isSecret: boolean('Whether responses mask it, except the one to the create.'),
      },
      ['name', 'schema'],
    ),
  },
  requireOneOf: { ...strings, description: 'At least one of these is required on create.' },
  eventTypes: { ...strings, description: 'The types of events that its records raise.' },
  remove: { enum: ['hard', 'soft'], description: 'Whether deleting removes a record, or flags and keeps it.' },
  list: {
    title: 'ListAbilities',
    type: 'object',
    description:
      'What its list supports: members to sort by, to search, and to filter by exact value, by any of several, and by range.',
    properties: {
      sort: { ...strings, description: 'Members that `sortBy` accepts.' },
      search: { ...strings, description: 'Members that `searchBy…` parameters search.' },
      exact: { ...strings, description: 'Members that have a filter of the same name, for one value.' },
      any: { ...strings, description: 'Lists that have a filter of the same name, for any of several values.' },
      range: { ...strings, description: 'Times that have a filter of the same name, for bounds.' },
      further: {
        ...strings,
        description: 'Filters by more than one member, or by other records, such as `isOpen` of sessions.',
      },
    },
    required: ['sort', 'search', 'exact', 'any', 'range', 'further'],
  },
})

const declarationOf = ({
  name: { one, many },
  title,
  description,
  fields,
  requireOneOf,
  eventTypes,
  remove,
  list,
  filters,
}: Resource) => ({
  one,
  many,
  title,
  singular: spoken(one),
  description,
  members: Object.entries(fields).map(([member, { schema, sent = schema, required, serverOwned, secret }]) => ({
    name: member,
    schema: sent,
    ...(required && { isRequired: true }),
    ...(serverOwned && { isServerOwned: true }),
    ...(secret && { isSecret: true }),
  })),
  requireOneOf,
  eventTypes,
  remove,
  list: {
    sort: ['createdAt', 'updatedAt', ...list.sort],
    search: list.search,
    exact: list.exact,
    any: list.any,
    range: ['createdAt', 'updatedAt', ...list.range],
    further: Object.keys(filters),
  },
})

/** Returns a company's resources; the common ones if it has none of its own. */
type ResourcesOf = (call: Pick<Call, 'scope'>) => Promise<readonly Resource[]>

export function resourceRoutes(resourcesOf: ResourcesOf, example: Resource): Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/console/resources',
      surface: 'company',
      limitedKeys: 'always',
      operationId: 'listResources',
      tag: 'Console',
      summary: 'List the resource declarations',
      description:
        'The members of each resource that has Style B paths, and what its list supports, including the columns that the company’s custom tables add to customers.',
      replies: {
        200: {
          description: 'The declarations, in the order of this reference.',
          schema: object('ResourceDeclarations', {
            data: { type: 'array', items: declared, description: 'A declaration for each resource.' },
          }),
          example: { data: [declarationOf(example)] },
        },
      },
      handle: async (call) => {
        const resources = await resourcesOf(call)
        return json({ data: resources.map(declarationOf) })
      },
    },
  ]
}
