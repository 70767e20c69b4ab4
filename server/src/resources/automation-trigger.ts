// Automation trigger: a webhook that a company registers for some of its events.
import { name, reference, required, secret, text, webUrl, word } from '../engine/field.ts'
import { resource } from '../engine/resource.ts'

export const automationTrigger = resource({
  name: { one: 'automation-trigger', many: 'automation-triggers' },
  title: 'Automation triggers',
  description: 'A URL of an automation tool that wants to hear of events.',
  fields: {
    triggerType: required(word('customer.created', 'order.*', '*', 'new_order')),
    triggerId: reference(),
    apiKey: secret(text({ max: 500, description: 'Known to the receiving tool.' })),
    triggerUrl: required(webUrl()),
    customTriggerName: name(),
  },
  remove: 'hard',
  list: { sort: ['triggerType'], search: ['triggerType', 'customTriggerName'], exact: ['triggerId'] },
  styleA: { one: ['automation-triggers'], list: 'automation-triggers' },
  styleB: { one: 'automation-trigger', many: 'automation-triggers' },
  example: { triggerType: 'order.completed', triggerUrl: 'https://hooks.example.com/cashwrap' },
})
