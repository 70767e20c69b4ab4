// The names of the SDK: a rule from method and path, and the operations whose names it would not make.

/** Names that the rule does not make, by operation id. A name that was released does not change. */
const named: Readonly<Record<string, string>> = {
  health: 'service.health',
  ready: 'service.ready',
  whoami: 'service.whoami',
  openapi: 'service.openapi',
  listInventoryHistory: 'inventory.history',
  closeSession: 'sessions.close',
  readSessionReport: 'sessions.report',
  reportCustomer: 'reports.customer',
  listWebhookDeliveries: 'webhookDeliveries.list',
  readWebhookDelivery: 'webhookDeliveries.get',
  redeliverWebhook: 'webhookDeliveries.redeliver',
  redeliverFailedWebhooks: 'automationTriggers.redeliverFailed',
  replayEvents: 'automationTriggers.replay',
  testAutomationTrigger: 'automationTriggers.test',
  streamEvents: 'events.follow',
  sendCustomEvent: 'events.send',
  search: 'service.search',
  readExportFile: 'exports.download',
  putAttachmentFile: 'attachments.upload',
  readAttachmentFile: 'attachments.download',
  deleteAttachmentFile: 'attachments.deleteFile',
  readAttachmentFileLink: 'attachments.fileLink',
  readLinkedFile: 'attachments.downloadLinked',
  readImportUndo: 'imports.previewUndo',
  readSettings: 'settings.get',
  updateSettings: 'settings.update',
  createCompanyKey: 'companyKeys.create',
  listCompanyKeys: 'companyKeys.list',
  deleteCompanyKey: 'companyKeys.delete',
  rotateCompanyKey: 'companyKeys.rotate',
  createOrganizationKey: 'organizationKeys.create',
  listOrganizationKeys: 'organizationKeys.list',
  deleteOrganizationKey: 'organizationKeys.delete',
  rotateOrganizationKey: 'organizationKeys.rotate',
  listOwnKeyRequests: 'keys.requests',
  listCompanyKeyRequests: 'companyKeys.requests',
  onboardCompany: 'companies.onboard',
  onboardCompanyOf: 'companies.onboardIn',
  linkMember: 'members.renewLink',
  readSignInRules: 'signInRules.get',
  updateSignInRules: 'signInRules.update',
  readOrganizationSignInRules: 'organizationSignInRules.get',
  updateOrganizationSignInRules: 'organizationSignInRules.update',
  listOrganizationMembers: 'organizationMembers.list',
  createOrganizationMember: 'organizationMembers.create',
  updateOrganizationMember: 'organizationMembers.update',
  deleteOrganizationMember: 'organizationMembers.delete',
  linkOrganizationMember: 'organizationMembers.renewLink',
}

/** What the rule reads of an operation. */
interface Named {
  readonly id: string
  readonly tag: string
  readonly method: string
  readonly path: string
  readonly isBulk: boolean
  readonly isList: boolean
}

/** The resource and the method of an operation: `customers` and `create`. */
export function nameOf(operation: Named): { readonly resource: string; readonly method: string } {
  const [resource = '', method = ''] = (named[operation.id] ?? ruled(operation)).split('.')
  return { resource, method }
}

/** Parts of a path that name no resource. */
const prefixes = new Set(['', 'v1', 'api', 'public', 'organization-api', 'console'])

/** `customers.create` by the chapter, the method and what follows the resource's own segment of the path. */
function ruled({ id, tag, method, path, isBulk, isList }: Named): string {
  if (tag === 'Console') return `console.${id}`
  const resource = camelCase(tag.toLowerCase())
  const [, ...further] = path.split('/').filter((segment) => !prefixes.has(segment))
  const last = further.at(-1) ?? ''
  // `/v1/customer/{id}/restore`, `/v1/reports/sales`
  if (last !== '' && !last.startsWith('{')) return `${resource}.${camelCase(last)}`
  if (further.includes('external')) return `${resource}.upsert`
  const many = isBulk ? 'Many' : ''
  if (method === 'get') return `${resource}.${isList ? 'list' : 'get'}`
  if (method === 'post') return `${resource}.create${many}`
  return `${resource}.${method === 'delete' ? 'delete' : 'update'}${many}`
}

/** `tax tables` or `set-levels` as a name: `taxTables`, `setLevels`. */
const camelCase = (text: string): string => text.replace(/[ -](.)/g, (_, letter: string) => letter.toUpperCase())

/** `customers` as the name of a type: `Customers`. */
export const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
