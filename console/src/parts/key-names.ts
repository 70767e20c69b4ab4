// What the shortcuts of the console are called on the user's keyboard.

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

export const keyNames = isApple ? { search: '⌘ K', undo: '⌘ Z' } : { search: 'Ctrl K', undo: 'Ctrl Z' }
