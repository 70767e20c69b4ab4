// Enter opens a list of choices, as Space and the arrow keys do (ARIA's select-only combobox); by default it would send the form.

/** Adds this to all inputs that take a choice and no text. */
export function openByEnter(): void {
  window.addEventListener('keydown', (event) => {
    const { key, target, defaultPrevented } = event
    // An open list uses Enter for its choice.
    if (key !== 'Enter' || defaultPrevented || !(target instanceof HTMLInputElement)) return
    if (!target.matches('[role="combobox"][readonly][aria-expanded="false"]')) return
    event.preventDefault()
    target.click()
  })
}
