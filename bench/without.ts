// Loaded before the service, removes a part of it to measure the part's cost: `--import bench/without.ts?part=etag`.
import { registerHooks } from 'node:module'

/** The file of each part, and its replacement. */
const parts = {
  etag: { file: '/engine/single.ts', text: 'isRecord: true', without: 'isRecord: false' },
  requests: { file: '/service.ts', text: '    keyRequested: keyRequests.note,\n', without: '' },
  inventory: { file: '/resources/variant.ts', text: '  projection: inventoryProjection,\n', without: '' },
}

const part = parts[new URL(import.meta.url).searchParams.get('part') as keyof typeof parts]
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith(part.file)) return loaded
    const source = String(loaded.source)
    if (!source.includes(part.text)) throw new Error(`${url} no longer says ${part.text}`)
    return { ...loaded, source: source.replaceAll(part.text, part.without) }
  },
})
