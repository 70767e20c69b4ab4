// The name of a browser, from its user agent: “Firefox 145 on Linux”.
import { text } from '../../texts/user.ts'

/** The first match counts: most browsers also name those that they are compatible with. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?(?:iOS)?\/(\d+)/, 'Edge'],
  [/\b(?:OPR|OPiOS)\/(\d+)/, 'Opera'],
  [/\bVivaldi\/(\d+)/, 'Vivaldi'],
  [/\bSamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\bHeadlessChrome\/(\d+)/, 'Headless Chrome'],
  [/\b(?:Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)[.\d]* (?:Mobile\/\w+ )?Safari\//, 'Safari'],
  [/\bcurl\/(\d+)/, 'curl'],
  [/^node(?:\.js)?\b/i, 'Node.js'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

interface BrowserWords {
  readonly words: string
  readonly isMobile: boolean
}

export function browserOf(userAgent: string | undefined): BrowserWords {
  const called = userAgent?.trim() ?? ''
  const system = systems.find(([pattern]) => pattern.test(called))?.[1]
  const isMobile = /\b(?:Mobile|iPhone|iPad|Android)\b/.test(called)
  for (const [pattern, name] of browsers) {
    const found = pattern.exec(called)
    if (found === null) continue
    const browser = found[1] === undefined ? name : `${name} ${found[1]}`
    return { words: system === undefined ? browser : text.on(browser, system), isMobile }
  }
  // Other programs put their own name first.
  const [own = ''] = called.split(/[\s/]/)
  return { words: own === '' || own === 'Mozilla' ? text.unknownBrowser : own.slice(0, 40), isMobile }
}
