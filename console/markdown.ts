// Markdown of our guides as HTML, when the console is built: the few forms that they use, and everything else as text.

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Where a link of a guide leads in the console; undefined for a file that is not served. */
type LinkTo = (href: string) => string | undefined

/** The id of a heading, as on GitHub: `The quote of a sale` → `the-quote-of-a-sale`. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')

/** Code first, so that nothing in it is read as another form. */
function inline(text: string, linkTo: LinkTo): string {
  const parts = text.split(/(`+[^`]+`+)/)
  const html = parts.map((part, n) => {
    if (n % 2 === 1) return `<code>${escaped(part.replaceAll(/^`+|`+$/g, ''))}</code>`
    return escaped(part)
      .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
      .replaceAll(/(?<![\w*])\*([^*]+)\*(?![\w*])/g, '<em>$1</em>')
  })
  // After the code, which a link can contain.
  return html.join('').replaceAll(/\[((?:[^\][]|\[[^\]]*\])+)\]\(([^)\s]+)\)/g, (_, label: string, href: string) => {
    const to = linkTo(href.replaceAll('&amp;', '&'))
    if (to === undefined) return label
    const isOutside = /^https?:/.test(to)
    return `<a href="${escaped(to)}"${isOutside ? ' target="_blank" rel="noreferrer"' : ''}>${label}</a>`
  })
}

const cellsOf = (line: string): string[] =>
  line
    .replaceAll(/^\s*\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

function table(lines: readonly string[], linkTo: LinkTo): string {
  const [head = '', , ...rows] = lines
  const row = (line: string, tag: string) =>
    `<tr>${cellsOf(line)
      .map((cell) => `<${tag}>${inline(cell, linkTo)}</${tag}>`)
      .join('')}</tr>`
  return `<div class="table"><table><thead>${row(head, 'th')}</thead><tbody>${rows.map((line) => row(line, 'td')).join('')}</tbody></table></div>`
}

const marker = /^(?:[-*]|\d+\.) /

function list(lines: readonly string[], linkTo: LinkTo): string {
  const tag = /^\d/.test(lines[0] ?? '') ? 'ol' : 'ul'
  const items: string[][] = []
  for (const line of lines)
    if (marker.test(line)) items.push([line.replace(marker, '')])
    else items.at(-1)?.push(line.replace(/^ {1,3}/, ''))
  return `<${tag}>${items.map((item) => `<li>${htmlOf(item.join('\n'), linkTo).replace(/^<p>(.*)<\/p>$/s, '$1')}</li>`).join('')}</${tag}>`
}

/** The lines from `at` on that `belongs` accepts, and where the next one is. */
function taken(lines: readonly string[], at: number, belongs: (line: string, n: number) => boolean): number {
  let end = at
  while (end < lines.length && belongs(lines[end] as string, end)) end++
  return end
}

const code = (lines: readonly string[]): string =>
  `<pre tabindex="0"><code>${escaped(lines.join('\n').replace(/\n+$/, ''))}</code></pre>`

/** A text block by block. */
export function htmlOf(markdown: string, linkTo: LinkTo): string {
  const lines = markdown.split('\n')
  const blocks: string[] = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as string
    let end = at + 1
    if (line.startsWith('```')) {
      end = taken(lines, at + 1, (each) => !each.startsWith('```'))
      blocks.push(code(lines.slice(at + 1, end)))
      end++
    } else if (/^ {4}/.test(line)) {
      end = taken(lines, at, (each, n) => /^ {4}/.test(each) || (each === '' && /^ {4}/.test(lines[n + 1] ?? '')))
      blocks.push(code(lines.slice(at, end).map((each) => each.slice(4))))
    } else if (/^#{1,6} /.test(line)) {
      const [, marks = '', heading = ''] = /^(#+) (.*)$/.exec(line) ?? []
      blocks.push(`<h${marks.length} id="${slugOf(heading)}">${inline(heading, linkTo)}</h${marks.length}>`)
    } else if (line.startsWith('|')) {
      end = taken(lines, at, (each) => each.startsWith('|'))
      blocks.push(table(lines.slice(at, end), linkTo))
    } else if (marker.test(line)) {
      end = taken(
        lines,
        at,
        (each, n) => marker.test(each) || /^ +\S/.test(each) || (each === '' && /^ {2,}\S/.test(lines[n + 1] ?? '')),
      )
      blocks.push(list(lines.slice(at, end), linkTo))
    } else if (line.trim() !== '') {
      end = taken(
        lines,
        at,
        (each, n) => each.trim() !== '' && (n === at || (!/^(#|\||```)/.test(each) && !marker.test(each))),
      )
      blocks.push(`<p>${inline(lines.slice(at, end).join(' '), linkTo)}</p>`)
    }
    at = end
  }
  return blocks.join('\n')
}
