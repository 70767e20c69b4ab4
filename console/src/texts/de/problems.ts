// Was der Server ablehnt, in den Worten der Konsole.
import { locale, type Translation } from '../../language.ts'
import type { text } from '../problems.ts'

const number = (value: number): string => value.toLocaleString(locale)

export const problems: Translation<typeof text> = {
  reasons: {
    sale_not_completed:
      'Nur ein abgeschlossener Verkauf lässt sich bezahlen, erstatten oder stornieren. Laden Sie die Seite neu, um seinen Stand zu sehen.',
    order_not_open:
      'Nur eine ausstehende oder geparkte Bestellung lässt sich abschließen. Laden Sie die Seite neu, um ihren Stand zu sehen.',
    sale_completed:
      'Diese Bestellung wurde bereits verkauft. Setzen Sie ihren Status auf abgeschlossen, oder legen Sie einen neuen Verkauf an.',
    sale_voided: 'Dieser Verkauf wurde storniert. Legen Sie stattdessen einen neuen an.',
    sale_cancelled: 'Dieser Verkauf ist bereits storniert.',
    sale_has_refunds:
      'Zu diesem Verkauf gibt es Erstattungen, daher lässt er sich nicht stornieren. Erstatten Sie den Rest.',
    sale_paid: 'Dieser Verkauf ist bereits bezahlt.',
    sale_refunded: 'Dieser Verkauf ist bereits ganz erstattet.',
    sale_below_zero:
      'Dieser Verkauf war eine Rückgabe und lässt sich nicht erstatten. Legen Sie einen neuen Verkauf an.',
    refund_above_rest: 'Das ist mehr, als vom Verkauf übrig ist. Wählen Sie weniger Stück oder „Alles Übrige“.',
    session_closed: 'Die Schicht ist bereits geschlossen. Was in ihr verkauft wurde, lässt sich nur noch erstatten.',
    closing_counted: 'Dieser Verkauf ist bereits in einem Abschluss enthalten. Erstatten Sie ihn stattdessen.',
    already_exists: 'Das gibt es schon. Ändern Sie, was da ist, oder geben Sie etwas anderes ein.',
    group_refused: 'Ein anderer Teil derselben Gruppe wurde abgelehnt, daher wurde auch dieser nicht ausgeführt.',
    import_checking: 'Die Datei wird noch geprüft. Versuchen Sie es nach der Prüfung noch einmal.',
    import_not_ready:
      'Filialen lassen sich nur wählen, solange der Import bereit ist. Laden Sie die Datei noch einmal hoch.',
    import_running: 'Der Import läuft. Warten Sie, bis er beendet ist, oder brechen Sie ihn ab.',
    import_undoing: 'Der Import wird rückgängig gemacht. Warten Sie, bis das beendet ist.',
    import_undone: 'Der Import wurde rückgängig gemacht. Um die Datei erneut zu importieren, wiederholen Sie ihn.',
    import_undone_in_part:
      'Der Import wurde zum Teil rückgängig gemacht. Machen Sie ihn noch einmal rückgängig, oder wiederholen Sie ihn.',
    import_ended: 'Der Import ist beendet. Was er geschrieben hat, bleibt.',
    import_not_run: 'Der Import wurde nicht ausgeführt, daher gibt es nichts rückgängig zu machen.',
    import_not_undoable:
      'Der Import lässt sich nicht mehr rückgängig machen: Er hat nichts oder zu viel geschrieben oder ist zu lange her.',
    import_file_gone: 'Die Datei des Imports ist nicht mehr da. Laden Sie sie noch einmal hoch.',
    imports_busy: 'Es laufen zu viele Importe. Warten Sie, bis einer beendet ist, oder brechen Sie einen ab.',
    field_has_values: 'Dieses Feld hat Werte, daher lässt sich seine Art nicht ändern. Legen Sie ein neues Feld an.',
    tables_full: 'Mehr eigene Tabellen sind nicht möglich. Löschen Sie zuerst eine, die Sie nicht mehr brauchen.',
    fields_full:
      'Mehr Felder kann eine Tabelle nicht haben. Löschen Sie zuerst eines, oder legen Sie eine weitere Tabelle an.',
    renames_full: 'Dieses Feld wurde zu oft umbenannt. Legen Sie stattdessen ein neues an.',
    customer_tables_full:
      'Mehr Tabellen können nicht auf Kunden verweisen. Löschen Sie zuerst ein solches Feld in einer anderen Tabelle.',
    customer_field_exists: 'Diese Tabelle hat bereits ein Feld, das auf Kunden verweist.',
    row_exists: 'Die Tabelle hat für diesen Kunden bereits eine Zeile.',
    already_member: 'Es gibt bereits ein Mitglied mit dieser E-Mail-Adresse.',
    already_invited: 'Diese E-Mail-Adresse ist bereits eingeladen. Erneuern Sie den Link dieser Einladung.',
    members_full: 'Es gibt zu viele Mitglieder und Einladungen. Entfernen Sie zuerst eines.',
    last_owner:
      'Das ist der letzte Inhaber, der sich anmelden kann. Machen Sie zuerst ein anderes Mitglied zum Inhaber.',
    own_account: 'Das ist Ihr eigenes Konto. Ihr Passwort ändern Sie unter Ihrem Profil.',
    factor_protected:
      'Diese Person meldet sich mit einem Passkey oder einem anderen zweiten Faktor an, den ein Link nicht ersetzen darf. Ist er verloren, hilft der Betreiber.',
    only_way_in:
      'Anders können Sie sich nicht anmelden. Wählen Sie ein Passwort oder fügen Sie einen anderen Weg hinzu, und entfernen Sie dann diesen.',
    would_lock_out:
      'Sie haben sich ohne zweiten Faktor angemeldet und würden sich damit aussperren. Richten Sie zuerst einen unter Ihrem Profil ein, oder melden Sie sich mit Ihrem Passkey an.',
    identity_linked: 'Diese Identität ist bereits mit einem Konto verbunden.',
    identities_full: 'Mehr Identitäten können Sie nicht verknüpfen. Heben Sie zuerst eine Verknüpfung auf.',
    second_factor_on:
      'Die Anmeldung in zwei Schritten ist bereits an. Schalten Sie sie zuerst aus, um eine andere App einzurichten.',
    second_factor_off: 'Die Anmeldung in zwei Schritten ist nicht an.',
    passkeys_full: 'Sie haben zu viele Passkeys. Entfernen Sie zuerst einen.',
    passkey_exists: 'Dieser Passkey ist bereits registriert.',
    key_rotated:
      'Dieser Schlüssel wurde bereits ersetzt und wird später gelöscht. Löschen Sie ihn jetzt, wenn das zu spät ist.',
    key_expired: 'Dieser Schlüssel ist abgelaufen. Erstellen Sie einen anderen.',
    default_plan: 'Das ist der Standardtarif. Machen Sie zuerst einen anderen zum Standard.',
    trigger_inactive: 'Dieser Auslöser ist aus, daher sendet er nichts. Schalten Sie ihn zuerst ein.',
    exports_busy: 'Es laufen zu viele Exporte. Warten Sie, bis einer beendet ist.',
    export_running: 'Der Export wird noch geschrieben. Versuchen Sie es gleich noch einmal.',
    export_failed: 'Der Export ist fehlgeschlagen, daher gibt es keine Datei. Beginnen Sie einen neuen.',
    alias_taken: 'Diesen Alias hat bereits eine andere Organisation. Wählen Sie einen anderen.',
    admin_required:
      'Das dürfen nur Administratoren und Inhaber. Wenn Sie es brauchen, bitten Sie einen Inhaber um eine andere Rolle.',
    owner_required: 'Das dürfen nur Inhaber. Wenn Sie es brauchen, fragen Sie einen Inhaber.',
    membership_removed: 'Sie sind kein Mitglied mehr. Bitten Sie einen Inhaber, Sie wieder einzuladen.',
    resource_denied: 'Der Schlüssel gibt keinen Zugriff auf diese Ressource.',
    other_site:
      'Der Server hält diese Seite für die einer anderen Website. Wenn er hinter einem Proxy läuft, muss der Betreiber diesen in CASHWRAP_TRUST_PROXY nennen, und der Proxy muss X-Forwarded-Proto und den ursprünglichen Host senden.',
    shared_plan: 'Dieser Tarif gehört allen Organisationen; nur der Betreiber kann ihn ändern.',
    member_elsewhere:
      'Diese Person ist auch anderswo Mitglied. Einen Link kann nur erstellen, wer dort ebenfalls Inhaber ist und sich mit einem zweiten Faktor angemeldet hat, wo einer verlangt wird – oder der Betreiber mit „cashwrap user reset-password“.',
    other_address:
      'Die Einladung gilt für eine andere E-Mail-Adresse als die, die der Anbieter der Anmeldung bestätigt hat. Erstellen Sie ein Konto mit Passwort, oder bitten Sie um eine Einladung an die bestätigte Adresse.',
    factor_required:
      'Hier wird ein zweiter Faktor verlangt, und Sie haben sich ohne einen angemeldet. Melden Sie sich mit Ihrem Passkey an; wenn Sie keinen haben, fügen Sie unter Ihrem Profil einen hinzu, oder schalten Sie dort die Anmeldung in zwei Schritten ein.',
    own_factor_unused:
      'Sie haben sich ohne Ihren zweiten Faktor angemeldet, den ein Unternehmen oder eine Organisation von Ihnen verlangt. Melden Sie sich zuerst mit ihm an, etwa mit Ihrem Passkey.',
    link_needs_factor:
      'Ein Unternehmen oder eine Organisation von Ihnen verlangt einen zweiten Faktor, den ein Link nicht ersetzen darf. Melden Sie sich in diesem Browser mit ihm an, etwa mit Ihrem Passkey, und öffnen Sie den Link noch einmal; er bleibt gültig. Ist der Faktor verloren, hilft der Betreiber mit „cashwrap user reset-password“.',
    event_gone: 'Das Ereignis dieser Zustellung ist nicht mehr da, daher lässt es sich nicht noch einmal senden.',
  },
  signIn: {
    not_signed_in: 'Ihre Anmeldung ist beendet. Melden Sie sich wieder an.',
    missing_key: 'Ihre Anmeldung ist beendet. Melden Sie sich wieder an.',
    invalid_credentials: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    invalid_second_factor: 'Der Code ist falsch, abgelaufen oder schon verwendet. Geben Sie den nächsten ein.',
    invalid_passkey:
      'Der Passkey wurde nicht angenommen: Er ist unbekannt, oder es hat zu lange gedauert. Versuchen Sie es noch einmal, oder melden Sie sich anders an.',
    invalid_link:
      'Er wurde schon verwendet, ist abgelaufen oder unvollständig, oder die Einladung wurde zurückgezogen. Bitten Sie um einen neuen: Inhaber erstellen ihn unter „Mitglieder“, der Betreiber mit „cashwrap user reset-password“. Für den ersten Inhaber zeigt ihn der Dienst beim nächsten Start.',
    invalid_sso:
      'Diese Anmeldung ist abgelaufen, schon verwendet oder in einem anderen Browser begonnen. Gehen Sie zur Anmeldeseite zurück, und beginnen Sie von vorn.',
  },
  refusals: {
    version_mismatch:
      'Jemand hat das inzwischen geändert. Prüfen Sie den aktuellen Stand, und versuchen Sie es dann noch einmal.',
    permission_denied:
      'Das dürfen Sie nicht, oder nicht mehr. Laden Sie die Seite neu; wenn Sie es brauchen, fragen Sie einen Inhaber.',
  },
  busy: {
    database_unreachable:
      'Der Server erreicht seine Datenbank nicht. Ihre Eingabe bleibt erhalten: Versuchen Sie es in einer Minute noch einmal, und informieren Sie den Betreiber, wenn das Problem bestehen bleibt.',
    database_timeout: 'Die Datenbank hat zu lange gebraucht. Versuchen Sie es noch einmal: Nichts geschieht doppelt.',
    database_full:
      'Die Festplatte der Datenbank ist voll: Sie können alles ansehen, aber nichts speichern. Informieren Sie den Betreiber, lassen Sie diese Seite offen, und speichern Sie später noch einmal.',
    connections_in_use:
      'Der Server ist ausgelastet. Versuchen Sie es in einigen Sekunden noch einmal: Nichts geschieht doppelt.',
    queue_full:
      'Der Server ist ausgelastet. Versuchen Sie es in einigen Sekunden noch einmal: Nichts geschieht doppelt.',
    memory_full:
      'Der Server ist ausgelastet. Versuchen Sie es in einigen Sekunden noch einmal: Nichts geschieht doppelt.',
    deadline: 'Der Server hat zu lange gebraucht. Versuchen Sie es noch einmal: Nichts geschieht doppelt.',
    contention: 'Andere ändern gerade denselben Datensatz. Versuchen Sie es in einigen Sekunden noch einmal.',
    slow_upload: 'Die Datei kam zu langsam an. Prüfen Sie Ihre Verbindung, und senden Sie sie noch einmal.',
    sums_incomplete: 'Die Summen werden noch berechnet. Versuchen Sie es in einer Minute noch einmal.',
    draining: 'Der Server startet gleich neu. Versuchen Sie es in einigen Sekunden noch einmal.',
    not_migrated: 'Der Server startet gerade. Versuchen Sie es in einer Minute noch einmal.',
    provider_unreachable:
      'Die Anmeldung über den Anbieter funktioniert gerade nicht. Versuchen Sie es später noch einmal, oder melden Sie sich anders an.',
    files_unreachable:
      'Der Dateispeicher antwortet nicht. Alles andere funktioniert; versuchen Sie es später noch einmal, und informieren Sie den Betreiber, wenn das Problem bestehen bleibt.',
    key_rate: 'Es kamen zu viele Anfragen in kurzer Zeit. Warten Sie einen Moment, und versuchen Sie es noch einmal.',
    address_rate:
      'Es kamen zu viele Anfragen in kurzer Zeit. Warten Sie einen Moment, und versuchen Sie es noch einmal.',
  },
  passwordGuesses: (minutes) =>
    `Es gab zu viele falsche Versuche. Versuchen Sie es in ${minutes === 1 ? 'einer Minute' : `${number(minutes)} Minuten`} noch einmal.`,
  places: {
    company: 'Sie haben keinen Zugang mehr zu diesem Unternehmen, oder es wurde gelöscht.',
    organization: 'Sie haben keinen Zugang mehr zu dieser Organisation, oder sie wurde gelöscht.',
  },
  codes: {
    not_found: 'Das gibt es nicht mehr. Vielleicht hat es jemand gelöscht.',
    idempotency_conflict:
      'Ein früherer Versuch hat den Server mit anderen Angaben doch erreicht. Sehen Sie nach, ob er erfasst ist, bevor Sie dies senden.',
    idempotency_in_progress: 'Der Server arbeitet noch an derselben Anfrage. Versuchen Sie es gleich noch einmal.',
    unavailable:
      'Der Server kann gerade nicht antworten. Ihre Eingabe geht nicht verloren; versuchen Sie es noch einmal.',
    internal_error:
      'Auf dem Server ist etwas schiefgegangen. Versuchen Sie es noch einmal; wenn das Problem bestehen bleibt, nennen Sie dem Betreiber die Zeit dieser Meldung.',
  },
  members: {
    left: (limit) => `nur noch ${number(limit)} übrig`,
    minimum: (limit) => `darf nicht kleiner als ${number(limit)} sein`,
    exclusiveMinimum: (limit) => `muss größer als ${number(limit)} sein`,
    maximum: (limit) => `darf nicht größer als ${number(limit)} sein`,
    sum: (limit) => `müssen zusammen ${number(limit)} ergeben`,
    minItems: (limit) => `muss mindestens ${limit === 1 ? 'einen Eintrag' : `${number(limit)} Einträge`} haben`,
    maxItems: (limit) => `darf nicht mehr als ${number(limit)} Einträge haben`,
  },
  values: {
    past: 'muss in der Zukunft liegen',
    taken: 'ist bereits vergeben',
    wrong: 'ist nicht richtig',
    future: 'darf nicht in der Zukunft liegen',
    target:
      'muss zu einer öffentlichen Adresse führen, ohne Benutzernamen und Passwort; andere Adressen kann der Betreiber mit CASHWRAP_WEBHOOK_ALLOW erlauben',
  },
  stockShort: (line, stock) =>
    `Von Position ${number(line)} sind nur ${number(stock)} im Bestand. Um sie dennoch zu verkaufen, wählen Sie „Trotzdem verkaufen“; um das immer zu erlauben, schalten Sie bei der Variante „Verkaufen ohne Bestand“ ein.`,
  planLimit: (limit, count) =>
    `Der Tarif erlaubt ${number(limit)}, und es gibt ${number(count)}. Entfernen Sie etwas, oder wechseln Sie den Tarif.`,
}
