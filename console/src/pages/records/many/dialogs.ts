// What opens from the bar of selected rows, as one part that is loaded when it is first needed.
export { DeleteDialog } from './DeleteDialog.tsx'
export { EditDialog } from './EditDialog.tsx'
export { Failed } from './Failed.tsx'
export { TagDialog } from './TagDialog.tsx'
