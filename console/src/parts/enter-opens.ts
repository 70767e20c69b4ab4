// Enter opens a list of choices, as Space and the arrow keys do (ARIA's select-only combobox); by default it would send the form.

/** Starts this for all inputs that take no text but a choice. */
export function openByEnter(): void {
  window.addEventListener('keydown', (event) => {
    const { key, target, defaultPrevented } = event
    // An open list has taken Enter for its choice.
    if (key !== 'Enter' || defaultPrevented || !(target instanceof HTMLInputElement)) return
    if (!target.matches('[role="combobox"][readonly][aria-expanded="false"]')) return
    event.preventDefault()
    target.click()
  })
}
