// A dispatcher of webhooks for one test, whose calls and notifications are the test's.
import type { TestContext } from 'node:test'
import type { Database } from '../../src/database/connect.ts'
import type { NotifiedWrite } from '../../src/features/events/write-notifications.ts'
import type { CallResult, WebhookCall } from '../../src/features/webhooks/call.ts'
import { Dispatcher } from '../../src/features/webhooks/dispatcher.ts'
import { sealOf } from '../../src/seal.ts'
import { testSettings } from './service.ts'

/** The result of a call that the receiver has taken. */
export const taken = (): CallResult => ({ at: new Date().toISOString(), status: 200, durationMs: 1 })

/** Starts a dispatcher, which ends with the test. `answer` replaces its calls, and `wake` notifies it as a write does. */
export function startDispatcher(
  t: TestContext,
  database: Database,
  answer: (call: WebhookCall) => Promise<CallResult> = async () => taken(),
) {
  const calls: WebhookCall[] = []
  const errors: unknown[] = []
  let wake: NotifiedWrite = () => {}
  const dispatcher = new Dispatcher(database, {
    seal: sealOf(testSettings.secretKeys),
    sender: {
      call: async (call) => {
        calls.push(call)
        return answer(call)
      },
      close: () => {},
    },
    notifications: {
      wake: (companyId) => wake(companyId),
      listen: (heard) => {
        wake = heard
        return () => {}
      },
      close: async () => {},
    },
    failed: (error) => errors.push(error),
  })
  t.after(() => dispatcher.stop())
  return { calls, errors, wake: (companyId?: string) => wake(companyId) }
}
