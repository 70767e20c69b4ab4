// Texts of selected rows, and of what is done with many records at once.
import { locale, translated } from '../language.ts'

const records = (count: number): string => (count === 1 ? '1 record' : `${count.toLocaleString(locale)} records`)

const share = (done: number, all: number): string => `${done.toLocaleString(locale)} of ${all.toLocaleString(locale)}`

export const text = translated('many', {
  bar: 'Selected rows',
  selectRow: (name: string) => `Select ${name}`,
  selectAll: 'Select all rows shown',
  selected: (count: number) => `${count.toLocaleString(locale)} selected`,
  selectMatching: (count: number) => `Select all ${count.toLocaleString(locale)}`,
  clear: 'Clear selection',
  edit: 'Edit',
  tag: 'Tag',
  delete: 'Delete',
  export: 'Export',
  progress: {
    reading: (done: number, all: number) => `Reading: ${share(done, all)}…`,
    changing: (done: number, all: number) => `Changing: ${share(done, all)}…`,
    deleting: (done: number, all: number) => `Deleting: ${share(done, all)}…`,
    restoring: (done: number, all: number) => `Restoring: ${share(done, all)}…`,
  },
  editTitle: (count: number) => `Edit ${records(count)}`,
  editHint: 'Each record gets this value. Leave it empty to remove the value.',
  member: 'What to change',
  chooseMember: 'Choose what to change.',
  enterValue: 'Enter a value: this field is required.',
  enterTag: 'Enter a tag to add or to remove.',
  apply: (count: number) => `Change ${records(count)}`,
  tagTitle: (count: number) => `Tag ${records(count)}`,
  addTags: 'Add tags',
  removeTags: 'Remove tags',
  tagsHint: 'Enter a tag and press Enter',
  deleteTitle: (count: number) => `Delete ${records(count)}?`,
  deleteAll: (count: number) => `Delete ${records(count)}`,
  deleteSoft: 'Lists and searches no longer show them. You can restore them.',
  deleteHard: 'They are permanently deleted; their last states stay in the events for 30 days.',
  refers: 'Records that refer to them are kept, and will refer to deleted records.',
  changed: (count: number) => `${records(count)} changed.`,
  unchanged: 'No record had to change.',
  deleted: (count: number) => `${records(count)} deleted.`,
  undone: (count: number) => `${records(count)} restored.`,
  failedTitle: (count: number, done: string) => `${records(count)} could not be ${done}`,
  outcomes: { reading: 'read', changing: 'changed', deleting: 'deleted', restoring: 'restored' },
  failedHint: 'The other records are done. These stay selected.',
  stoppedTitle: 'Interrupted',
  stopped: (done: number) => (done === 0 ? 'Stopped before the first record:' : `Stopped after ${records(done)}:`),
  record: 'Record',
  reason: 'Reason',
  gone: 'It no longer exists.',
  close: 'Close',
} as const)
