// The text of a mail, as plain text and as simple HTML, without pictures, scripts or anything that is loaded.

/** Characters of a name in a mail, and of its subject: what readers of mail show. */
const MAIL_NAME_CHARACTERS = 120
const MAIL_SUBJECT_CHARACTERS = 200

/** What a mail says. */
export interface MailContent {
  readonly subject: string
  /** The sender: the company, the organization or the service. */
  readonly heading: string
  readonly paragraphs: readonly string[]
  /** Items below the paragraphs. */
  readonly items?: readonly string[]
  readonly action?: { readonly label: string; readonly url: string }
  /** Said below the action, in small letters. */
  readonly notes: readonly string[]
}

/** A mail that can be sent. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/**
 * One line without control characters: nothing in it can end a header or reverse the direction of the text. The word
 * joiner of `nameInMail` stays.
 */
export function oneLine(text: string, most: number): string {
  const line = text
    .replaceAll(/(?:[\p{Cc}\p{Zl}\p{Zp}]|(?!\u2060)\p{Cf})+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`
}

/**
 * A name that somebody chose. Mail programs make links of text that looks like an address. An invisible word joiner
 * prevents that, so that no name can lead a person elsewhere.
 */
export const nameInMail = (name: string): string =>
  oneLine(name, MAIL_NAME_CHARACTERS).replaceAll(/[.:@/](?=\S)/g, (sign) => `${sign}\u2060`)

/** A time in words, in a company's time zone. */
export function localTime(time: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone })
  return `${format.format(new Date(time))} (${timeZone})`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] as string)

/** Makes the mail to an address. */
export function mailTo(to: string, content: MailContent): Mail {
  return {
    to,
    subject: oneLine(content.subject, MAIL_SUBJECT_CHARACTERS),
    text: plainText(content),
    html: htmlOf(content),
  }
}

function plainText({ heading, paragraphs, items = [], action, notes }: MailContent): string {
  const parts = [heading, ...paragraphs]
  if (items.length > 0) parts.push(items.map((item) => `- ${item}`).join('\n'))
  if (action) parts.push(`${action.label}:\n${action.url}`)
  return `${[...parts, '--', ...notes].join('\n\n')}\n`
}

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
/** Paler than the rest, whether the mail program shows it light or dark. */
const small = 'font-size:13px;opacity:0.75'

function htmlOf({ subject, heading, paragraphs, items = [], action, notes }: MailContent): string {
  const paragraph = (text: string) => `<p style="margin:0 0 16px" dir="auto">${escaped(text)}</p>`
  const listed = items.map((item) => `<li style="margin:0 0 6px" dir="auto">${escaped(item)}</li>`).join('\n')
  const button =
    action &&
    `<p style="margin:24px 0"><a href="${escaped(action.url)}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#4f46e5;color:#ffffff;text-decoration:none;font-weight:600">${escaped(action.label)}</a></p>
<p style="margin:0 0 16px;${small}">Or open this address:<br><a href="${escaped(action.url)}" style="color:inherit;word-break:break-all">${escaped(action.url)}</a></p>`
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px 16px;${font};font-size:15px;line-height:1.5">
<div style="max-width:560px;margin:0 auto">
<p style="margin:0 0 20px;font-size:18px;font-weight:600" dir="auto">${escaped(heading)}</p>
${paragraphs.map(paragraph).join('\n')}
${listed && `<ul style="margin:0 0 16px;padding-left:20px">\n${listed}\n</ul>`}
${button ?? ''}
<hr style="border:0;border-top:1px solid #8b93a1;margin:24px 0 16px">
${notes.map((note) => `<p style="margin:0 0 8px;${small}" dir="auto">${escaped(note)}</p>`).join('\n')}
</div>
</body>
</html>
`
}
