// Ein verlangter zweiter Faktor: der Schalter der Inhaber, und die Seite für Personen, die noch keinen haben.
import type { Translation } from '../../language.ts'
import type { text } from '../sign-in-rules.ts'

const place = (isCompany: boolean): string =>
  isCompany ? 'Dieses Unternehmen oder seine Organisation' : 'Diese Organisation oder eines ihrer Unternehmen'

export const signInRules: Translation<typeof text> = {
  title: 'Anmeldung',
  required: 'Zweiten Faktor verlangen',
  requiredHint:
    'Mitglieder melden sich mit einem Passkey an, oder mit Passwort und dem Code einer Authenticator-App. API-Schlüssel sind nicht betroffen.',
  byOrganization: 'Die Organisation verlangt ihn in allen ihren Unternehmen.',
  allCompanies: 'Das gilt in allen Unternehmen der Organisation.',
  requireTitle: 'Zweiten Faktor verlangen?',
  requireHint:
    'Mitglieder ohne zweiten Faktor werden gebeten, einen einzurichten, und können hier erst danach arbeiten. Das gilt sofort, auch für Personen, die bereits angemeldet sind. Prüfen Sie API-Schlüssel und offene Einladungen: Die vorhandenen gelten weiter.',
  requireAction: 'Verlangen',
  isRequired: 'Ab jetzt ist ein zweiter Faktor erforderlich.',
  isOptional: 'Ab jetzt ist kein zweiter Faktor mehr erforderlich.',
  setUpTitle: 'Schützen Sie Ihr Konto',
  setUpHint: (isCompany) =>
    `${place(isCompany)} verlangt einen zweiten Faktor: mehr als ein Passwort, das andere erfahren können. Richten Sie einen ein, um fortzufahren.`,
  withPasskey: 'Fingerabdruck, Gesicht oder Bildschirmsperre Ihres Geräts, statt des Passworts.',
  withApp: 'Authenticator-App verwenden',
  withAppHint: 'Nach dem Passwort ein Code einer App auf Ihrem Telefon.',
  againTitle: 'Melden Sie sich mit dem zweiten Faktor an',
  againHint: (isCompany) =>
    `${place(isCompany)} verlangt einen zweiten Faktor, und Sie haben sich ohne Ihren angemeldet.`,
  lost: 'Haben Sie das Gerät mit Ihrem Passkey verloren? Wer diesen Dienst betreibt, kann den Passkey entfernen.',
  signedInAs: (email) => `Angemeldet als ${email}.`,
  profile: 'Ihr Profil',
  signOut: 'Abmelden',
}
