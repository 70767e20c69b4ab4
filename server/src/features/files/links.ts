// Links to files that work without a key and expire: the file's attachment and the moment, sealed with the service's secret key.

import type { Seal } from '../../core/idempotency-claim.ts'
import { sealedPrefix } from '../../core/idempotency-claim.ts'
import type { RowKey } from '../../core/ids.ts'

/** Milliseconds for which a link to a file works: a page is shown, a download begun. */
export const FILE_LINK_MS = 10 * 60 * 1000

/** Another use of the seal opens none of these. */
const context = 'link to a file'

/** Makes links and reads them. */
export const fileLinks = (seal: Seal) => ({
  /** A link as the API shows it: a path, and when it expires. */
  make({ companyId, id }: RowKey): { path: string; expiresAt: string } {
    const expiresAt = new Date(Date.now() + FILE_LINK_MS).toISOString()
    const token = seal.close(JSON.stringify([companyId, id, expiresAt]), context).slice(sealedPrefix.length)
    return { path: `/v1/public/file/${token}`, expiresAt }
  },

  /** What a link leads to; undefined if it has expired, or is not one of ours. */
  read(token: string): RowKey | undefined {
    try {
      const [companyId, id, expiresAt] = JSON.parse(seal.open(`${sealedPrefix}${token}`, context))
      return Date.parse(expiresAt) > Date.now() ? { companyId, id } : undefined
    } catch {
      return undefined
    }
  },
})
