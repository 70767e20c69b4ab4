// Lets node:test follow its process only while the tests of a file are registered: it would follow each promise of the services there, a twelfth of their processor time. Loaded before node:test.
import hooks, { type AsyncHook } from 'node:async_hooks'

/** The hook by which node:test finds the test that registers another one. */
const followers: AsyncHook[] = []

/** What node:test keeps of a test. */
interface Registered {
  readonly subtests: unknown[]
  readonly hooks: Readonly<Record<string, unknown>>
}

let registered: Registered[] = []

const { createHook } = hooks
hooks.createHook = (callbacks) => {
  const hook = createHook({
    ...callbacks,
    init(id, type, trigger, resource) {
      // It is being made: what it keeps is not there yet.
      if (type === 'Test') registered.push(resource as Registered)
      callbacks.init?.(id, type, trigger, resource)
    },
  })
  followers.push(hook)
  return hook
}

/** Lets go of the tests of a file that has ended: node:test keeps them to the end, with all that they have started. */
export function forget(): void {
  for (const { subtests, hooks } of registered)
    for (const list of [subtests, ...Object.values(hooks)]) if (Array.isArray(list)) list.length = 0
  registered = []
}

/** Whether node:test follows what happens: from before the test of a file is made until its own tests are registered. */
export function follow(isOn: boolean): void {
  for (const follower of followers) isOn ? follower.enable() : follower.disable()
}
