// Die Anmeldung: zum ersten Mal, jedes Mal, und wenn eine Anmeldung geendet hat.
import type { Translation } from '../../language.ts'
import type { text } from '../sign-in.ts'

export const signIn: Translation<typeof text> = {
  title: 'Anmelden',
  subtitle: 'In der Konsole Ihres Unternehmens',
  email: 'E-Mail',
  name: 'Ihr Name',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  newPasswordHint: 'Mindestens 10 Zeichen. Ein Satz ist leicht zu merken und schwer zu erraten.',
  passwordMore: (more) => `Noch ${more} ${more === 1 ? 'Zeichen' : 'Zeichen'} nötig.`,
  missingEmail: 'Geben Sie Ihre E-Mail-Adresse ein.',
  missingPassword: 'Geben Sie Ihr Passwort ein.',
  code: 'Code',
  codeHint: 'Die sechs Ziffern, die Ihre Authenticator-App zeigt.',
  recoveryCode: 'Wiederherstellungscode',
  recoveryCodeHint: 'Einer der Codes, die Sie aufbewahrt haben. Jeder gilt einmal.',
  useRecoveryCode: 'Wiederherstellungscode verwenden',
  useApp: 'App verwenden',
  missingCode: 'Geben Sie einen Code ein.',
  codeFor: (email) => `Für ${email}`,
  back: 'Zurück',
  lost: 'Kein Telefon und kein Wiederherstellungscode? Der Betreiber dieses Dienstes kann den zweiten Schritt ausschalten.',
  capsLock: 'Die Feststelltaste ist an.',
  signIn: 'Anmelden',
  forgotten: 'Passwort vergessen?',
  resetHint: 'Geben Sie oben Ihre E-Mail-Adresse ein. Wir senden einen Link für ein neues Passwort.',
  resetHintFor: (email) => `Wir senden einen Link für ein neues Passwort an ${email}.`,
  resetAction: 'Link senden',
  resetMissing: 'Geben Sie zuerst oben Ihre E-Mail-Adresse ein.',
  resetSentTitle: 'Sehen Sie in Ihr Postfach',
  resetSent: (email) =>
    `Wenn ${email} ein Konto hat, ist ein Link unterwegs. Er gilt einmal, eine Stunde lang. Sehen Sie auch im Spam-Ordner nach.`,
  forgottenHint:
    'Dieser Dienst sendet keine E-Mails. Bitten Sie einen Inhaber Ihres Unternehmens oder Ihrer Organisation um einen Link für ein neues Passwort; er entsteht unter „Mitglieder“. Auch der Betreiber dieses Dienstes kann einen erstellen, mit:',
  forgottenCommand: (email) => `cashwrap user reset-password ${email === '' ? 'sie@example.com' : email}`,
  limitedTitle: (time) => `Zu viele falsche Versuche: erneut möglich um ${time}`,
  limited: (left) =>
    `Sie können sich ${left} wieder anmelden. Bis dahin werden auch das richtige Passwort und der richtige Code abgelehnt.`,
  againTitle: 'Sie sind abgemeldet',
  again:
    'Ihre Anmeldung ist beendet. Melden Sie sich wieder an, um fortzufahren, wo Sie waren: Nach Passwort oder Passkey ist Ihre Eingabe auf der Seite noch da.',
  removedTitle: 'Ihr Zugang wurde entfernt',
  removed:
    'Ihr Konto wurde gelöscht, weil ein Inhaber Ihre letzte Mitgliedschaft beendet oder der Betreiber des Dienstes es gelöscht hat. Um hier wieder zu arbeiten, bitten Sie einen Inhaber um eine neue Einladung.',
  againForgotten:
    'Öffnen Sie den Link in einem anderen Tab. Sobald Sie dort angemeldet sind, geht diese Seite von selbst weiter.',
  againOther: 'Anderes Konto verwenden',
  firstTitle: 'Willkommen bei Cashwrap',
  first: (organization) => `Sie werden Inhaber von ${organization}. Wählen Sie, wie Sie sich künftig anmelden.`,
  linkTitle: 'Passwort wählen',
  link: (email) => `Für ${email}. Das meldet Sie überall sonst ab.`,
  linkFactorTitle: 'Melden Sie sich mit dem zweiten Faktor an',
  linkFactor: (email) =>
    `Ein Unternehmen oder eine Organisation von ${email} verlangt einen zweiten Faktor, den dieser Link nicht ersetzt. Melden Sie sich in diesem Browser damit an, und öffnen Sie den Link noch einmal: Er gilt weiter.`,
  linkFactorLost: 'Haben Sie ihn verloren? Wer diesen Dienst betreibt, kann ihn zurücksetzen.',
  invitationTitle: (place) => `${place} beitreten`,
  invitedBy: (inviter) => `${inviter} hat Sie eingeladen.`,
  invitedToCompany: (company, organization, role) =>
    `Ihr Konto bekommt Zugang zu ${company} von ${organization}, Rolle: ${role}.`,
  invitedToOrganization: (organization, role) =>
    `Ihr Konto bekommt Zugang zu ${organization} und allen ihren Unternehmen, Rolle: ${role}.`,
  invitedCompanies: (companies, more) =>
    more > 0 ? `Unternehmen: ${companies} und ${more} weitere.` : `Unternehmen: ${companies}.`,
  invitationWay: 'Wie Sie annehmen',
  invitationNew: 'Neues Konto',
  invitationOwn: 'Ich habe ein Konto',
  invitationEmailHint: 'Mit dieser Adresse melden Sie sich an. Möglich ist jede Adresse, die noch kein Konto hat.',
  makeAccount: 'Konto erstellen und annehmen',
  signInAndAccept: 'Anmelden und annehmen',
  signedInAs: (who) => `Sie sind angemeldet als ${who}`,
  acceptHint: (email) => `Das Konto ${email} wird Mitglied. Sein Passwort ändert sich nicht.`,
  accept: 'Einladung annehmen',
  acceptOther: 'Anderes Konto verwenden',
  linkUntil: (time) => `Der Link gilt einmal, bis ${time}.`,
  linkGone: 'Dieser Link gilt nicht',
  linkMissingTitle: 'Link unvollständig',
  linkMissing:
    'Die Adresse enthält keinen Link, oder die Seite wurde neu geladen. Öffnen Sie den vollständigen Link noch einmal, mit allem nach dem #.',
  toSignIn: 'Zur Anmeldung',
  begin: 'Beginnen',
  choose: 'Speichern und anmelden',
  reference: 'API-Referenz',
}
