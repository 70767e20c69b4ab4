// Markdown of our guides as HTML, when the console is built: headings with ids, tables that scroll, and links of the console.
import { Marked, type Tokens } from 'marked'

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

/** A text as HTML. HTML in it is shown as text. */
export function htmlOf(markdown: string, linkTo: LinkTo): string {
  const marked = new Marked()
  marked.use({
    renderer: {
      heading({ depth, text, tokens }: Tokens.Heading) {
        return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      // A keyboard scrolls what has the focus.
      code: ({ text }: Tokens.Code) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
      table({ header, rows }: Tokens.Table) {
        const row = (cells: readonly Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
        const body = rows.map((cells) => row(cells, 'td')).join('')
        return `<div class="table"><table><thead>${row(header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const label = this.parser.parseInline(tokens)
        const to = linkTo(href)
        if (to === undefined) return label
        const isOutside = /^https?:/.test(to)
        return `<a href="${escaped(to)}"${isOutside ? ' target="_blank" rel="noreferrer"' : ''}>${label}</a>`
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escaped(text),
    },
  })
  return marked.parse(markdown, { async: false })
}
