// The program of the import thread: connections of its own, and one import at a time.
import { parentPort, workerData } from 'node:worker_threads'
import { reachingCompany } from './core/reach.ts'
import { connectIsolated } from './database/row-security/isolated.ts'
import { IMPORT_CONNECTIONS } from './features/imports/limits.ts'
import { executeLeased, type WorkParts } from './features/imports/work.ts'
import { faultOf, type Reported, type WorkerMessage } from './features/imports/worker.ts'
import { scopeOf } from './features/tenants/tenants.ts'

const stopping = new AbortController()
const report = (message: WorkerMessage) => parentPort?.postMessage(message)
const parts: WorkParts = {
  database: connectIsolated(workerData, { size: IMPORT_CONNECTIONS }),
  scopeOf,
  wrote: (companyId) => report({ wrote: companyId }),
  failed: (error) => report({ failed: faultOf(error) }),
}

parentPort?.on('message', (message: Reported) => {
  if (message === 'stop') return stopping.abort()
  reachingCompany(message.companyId, () => executeLeased(parts, message, stopping.signal))
    .catch(parts.failed)
    .then(() => report('done'))
})
