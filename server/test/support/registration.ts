// Lets node:test follow its process only while the tests of a file are registered: it would follow each promise of the services there, a twelfth of their processor time. Loaded before node:test.
import hooks, { type AsyncHook } from 'node:async_hooks'

/** The hook by which node:test finds the test that registers another one. */
const followers: AsyncHook[] = []

const { createHook } = hooks
hooks.createHook = (callbacks) => {
  const hook = createHook(callbacks)
  followers.push(hook)
  return hook
}

/** Whether node:test follows what happens: from before the test of a file is made until its own tests are registered. */
export function follow(isOn: boolean): void {
  for (const follower of followers) isOn ? follower.enable() : follower.disable()
}
