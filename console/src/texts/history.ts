// Texts of the history of a record.
import { inSentence, locale, translated } from '../language.ts'
export const text = translated('history', {
  details: 'Details',
  title: 'History',
  list: 'Changes, newest first',
  happened: { created: 'Created', updated: 'Changed', deleted: 'Deleted' } as Readonly<Record<string, string>>,
  of: (what: string, name: string) => `${name}: ${inSentence(what)}`,
  by: (name: string) => `by ${name}`,
  key: 'API key',
  deletedKey: 'a deleted API key',
  formerUser: 'a former member',
  organizationKey: 'an API key of the organization',
  member: 'a member without a name',
  operator: 'the operator, on the command line',
  service: 'the service',
  more: (count: number) => (count === 1 ? 'One more field' : `${count} more fields`),
  removed: 'Removed',
  added: 'Added',
  entries: (count: number) => (count === 1 ? '1 entry' : `${count.toLocaleString(locale)} entries`),
  changed: 'changed',
  older: 'Show earlier changes',
  kept: 'Changes are kept for 30 days.',
  keptSince: (created: string) => `Changes are kept for 30 days. Created ${created}; earlier changes are not shown.`,
  cut: (count: number) =>
    `Only the first ${count.toLocaleString(locale)} changes of these days are shown, not the latest.`,
  partsLeft: (count: number) =>
    count === 1
      ? 'Changes of one more variant are not shown.'
      : `Changes of ${count.toLocaleString(locale)} more variants are not shown.`,
  none: 'No changes in the last 30 days',
} as const)
