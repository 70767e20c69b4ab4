// Whether a key is part of what the user types: then it is no shortcut.

/** Whether the key “/” was pressed as a shortcut: outside of inputs and dialogs, and by nothing else handled yet. */
export const isSearchKey = ({ key, target, ctrlKey, metaKey, defaultPrevented }: KeyboardEvent): boolean =>
  key === '/' &&
  !ctrlKey &&
  !metaKey &&
  !defaultPrevented &&
  !(target as HTMLElement).closest('input, textarea, select, [contenteditable], [role="dialog"]')

/** Whether Ctrl+Z was pressed outside of inputs, which undo typing, and nothing else has handled it. */
export const isUndoKey = ({
  key,
  target,
  ctrlKey,
  metaKey,
  shiftKey,
  altKey,
  defaultPrevented,
}: KeyboardEvent): boolean =>
  key.toLowerCase() === 'z' &&
  (ctrlKey || metaKey) &&
  !shiftKey &&
  !altKey &&
  !defaultPrevented &&
  !(target as HTMLElement).closest('input:not([type="checkbox"], [type="radio"]), textarea, [contenteditable]')
