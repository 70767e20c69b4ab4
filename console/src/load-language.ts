// Loads the texts of the language before the first page is drawn; English needs none.
import { type Language, language, replaceTexts } from './language.ts'

/** Returns the language that is shown: English if the texts of another one cannot be loaded. */
export async function loadLanguage(): Promise<Language> {
  if (language === 'en') return 'en'
  try {
    replaceTexts((await import('./texts/de/catalogue.ts')).catalogue)
    return language
  } catch {
    return 'en'
  }
}
