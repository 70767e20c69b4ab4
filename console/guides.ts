// The guides of docs/guides as modules of the console: their HTML, and with `?title` only what they are called.
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Plugin } from 'vite'
import { htmlOf } from './markdown.ts'

/** Links between guides stay in the console, those to the reference lead there; other files of the repository are not served. */
function linkTo(href: string): string | undefined {
  if (/^(https?:|#)/.test(href)) return href
  const guide = /^([a-z-]+)\.md(#.*)?$/.exec(href)
  if (guide !== null) return `${guide[1]}${guide[2] ?? ''}`
  return href.endsWith('openapi.json') ? '/v1/openapi.json' : undefined
}

export const guides = (): Plugin => ({
  name: 'guides',
  enforce: 'pre',
  async load(id) {
    const [path = '', query] = id.split('?')
    if (!path.endsWith('.md') || !path.includes('/docs/guides/')) return null
    const markdown = await readFile(path, 'utf8')
    const title = /^# (.*)$/m.exec(markdown)?.[1] ?? basename(path, '.md')
    this.addWatchFile(path)
    return `export default ${JSON.stringify(query === 'title' ? title : htmlOf(markdown, linkTo))}`
  },
})
