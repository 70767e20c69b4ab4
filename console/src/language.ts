// The language of the console: the one that the user chose in this browser, or else the browser's own. English is part of
// every page; the texts of another language are one file, loaded before the first page is drawn.

/** The languages, each by its own name. */
export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages

/** The same texts in another language: each text is a string, or a function of the same values. */
export type Translation<Texts> = Texts extends string
  ? string
  : Texts extends ReadonlyMap<string, string>
    ? Texts
    : Texts extends readonly string[]
      ? readonly string[]
      : Texts extends (...values: infer Values) => infer Result
        ? (...values: Values) => Translation<Result>
        : { readonly [Name in keyof Texts]: Translation<Texts[Name]> }

const storageKey = 'cashwrap-language'
const isLanguage = (name: string | null | undefined): name is Language => name != null && Object.hasOwn(languages, name)

/** What the user chose; undefined to follow the browser. */
const chosenLanguage: Language | undefined = chosen()

/** The language that is shown. */
export const language: Language = chosenLanguage ?? navigator.languages.map(primary).find(isLanguage) ?? 'en'

/**
 * The locale of numbers and times: the browser's, unless another language was chosen. A browser in Austria writes German numbers as
 * Austria does.
 */
export const locale: string | undefined =
  chosenLanguage && (navigator.languages.find((one) => primary(one) === chosenLanguage) ?? chosenLanguage)

/** “de” of “de-AT”. */
function primary(tag: string): string {
  return tag.split('-', 1)[0] ?? tag
}

function chosen(): Language | undefined {
  try {
    const stored = localStorage.getItem(storageKey)
    return isLanguage(stored) ? stored : undefined
  } catch {
    return undefined
  }
}

/** Keeps a choice in this browser, for pages that are loaded from then on. */
export const keepLanguage = (choice: Language): void => localStorage.setItem(storageKey, choice)

/** A label inside of a sentence: English writes it small, except abbreviations such as SKU; German nouns keep their capital. */
export const inSentence = (label: string): string =>
  language === 'de' ? label : label.replaceAll(/\p{Lu}(?=\p{Ll}|-)/gu, (letter) => letter.toLowerCase())

const sections = new Map<string, object>()
let catalogue: Readonly<Record<string, object>> = {}

/** Registers a section of English texts; they are replaced in place where another language is shown. */
export function translated<Texts extends object>(section: string, english: Texts): Texts {
  sections.set(section, english)
  return Object.assign(english, catalogue[section])
}

/** Replaces all texts, also those of files that are loaded later. */
export function replaceTexts(texts: Readonly<Record<string, object>>): void {
  catalogue = texts
  for (const [section, own] of sections) Object.assign(own, texts[section])
}
