// Automatisierung: Auslöser, ihre Zustellungen und der Strom der Ereignisse.
import { locale, type Translation } from '../../language.ts'
import type { text } from '../automation.ts'
import { saidOfReceiver } from './receiver.ts'

/** Was mit einem Datensatz geschah, wie es Ereignistypen sagen. */
const verbs = new Map(
  Object.entries({
    created: 'erstellt',
    updated: 'geändert',
    deleted: 'gelöscht',
    completed: 'abgeschlossen',
    refunded: 'erstattet',
    opened: 'geöffnet',
    closed: 'geschlossen',
    'stock changed': 'Bestand geändert',
  }),
)

export const automation: Translation<typeof text> = {
  title: 'Automatisierung',
  description:
    'Auslöser senden Ereignisse an Ihre anderen Systeme: jedes als signierten POST-Aufruf an eine Ihrer URLs.',
  newTrigger: 'Neuer Auslöser',
  empty: 'Noch keine Auslöser',
  emptyHint: 'Ein Auslöser sendet die Ereignisse, die Sie wählen, sofort an eine URL.',
  nothing: 'Keine Treffer',
  nothingHint: 'Kein Auslöser passt zu diesem Namen, Ereignis oder dieser URL.',
  search: 'Auslöser suchen…',
  columns: {
    name: 'Auslöser',
    events: 'Ereignisse',
    url: 'URL',
    state: 'Status',
    last: 'Letzte Zustellung',
    event: 'Ereignis',
    attempts: 'Versuche',
    answer: 'Letzte Antwort',
    created: 'Erstellt',
    next: 'Nächster Versuch',
  },
  on: 'An',
  off: 'Aus',
  noDelivery: 'Noch keine',
  failing: 'Fehlerhaft',
  failingSince: (at) => `Aufrufe schlagen seit ${at} fehl`,
  failingHint: (count) =>
    `${count} fehlgeschlagen. Fehlgeschlagene Aufrufe werden wiederholt. Nach fünf Tagen ohne Erfolg wird der Auslöser ausgeschaltet.`,
  said: saidOfReceiver,
  lastAnswer: (answer) => `Letzte Antwort: ${answer}`,
  failedCalls: (count) =>
    count === 1 ? 'Der letzte Aufruf ist' : `Die letzten ${count.toLocaleString(locale)} Aufrufe sind`,
  offSince: (at) => `Ausgeschaltet ${at}`,
  offHint:
    'Es werden keine Ereignisse gesendet. Nach dem Einschalten sendet der Auslöser nur neue; senden Sie verpasste Ereignisse erneut.',
  switchOn: 'Einschalten',
  switchOff: 'Ausschalten',
  switchOffTitle: (name) => `${name} ausschalten?`,
  switchOffHint:
    'Es werden keine Ereignisse mehr gesendet, und wartende Wiederholungen gelten als fehlgeschlagen. Sie können den Auslöser jederzeit wieder einschalten.',
  switchedOn: 'Der Auslöser ist an.',
  switchUnsaved:
    'Die Einstellungen haben ungespeicherte Änderungen. Speichern oder verwerfen Sie sie zuerst, oder schalten Sie den Auslöser dort ein oder aus.',
  switchedOff: 'Der Auslöser ist aus.',
  delete: 'Auslöser löschen',
  deleteTitle: (name) => `${name} löschen?`,
  deleteHint:
    'An seine URL werden keine Ereignisse mehr gesendet, und seine Zustellungen werden gelöscht. Das lässt sich nicht rückgängig machen.',
  deleted: (name) => `${name} wurde gelöscht.`,
  test: 'Testereignis senden',
  testSent: 'Ein Testereignis ist unterwegs.',
  tabs: { deliveries: 'Zustellungen', settings: 'Einstellungen', verify: 'Prüfen' },

  form: {
    what: 'Zu sendende Ereignisse',
    where: 'Ziel',
    how: 'Zustellung',
    more: 'Mehr',
    events: 'Ereignisse',
    eventsHint: 'Ein Ereignistyp, ein Muster wie customer.*, oder * für alle Ereignisse.',
    eventsPlaceholder: 'customer.created',
    name: 'Name',
    nameHint: 'Steht in der Konsole, in Hinweisen und in jedem Aufruf als customTriggerName.',
    url: 'URL',
    urlHint:
      'Jedes Ereignis wird als POST-Aufruf dorthin gesendet. Die URL muss innerhalb von 15 Sekunden mit 2xx antworten.',
    parallel: 'Gleichzeitige Aufrufe',
    parallelHint: 'Mit 1 kommen Ereignisse in ihrer Reihenfolge an. Mit mehr kann sich die Reihenfolge ändern.',
    active: 'Ereignisse senden',
    activeHint: 'Nach dem Wiedereinschalten sendet der Auslöser nur neue Ereignisse.',
  },
  everything: 'Alle Ereignisse',
  everythingHint: 'Jedes Ereignis, auch Typen, die später hinzukommen',
  ownEvents: 'Eigene Ereignisse',
  ownEventsHint: 'Gesendet mit POST /v1/events/custom',
  customTables: [
    { one: 'custom-table', singular: 'Eigene Tabelle', title: 'Eigene Tabellen' },
    { one: 'custom-table-field', singular: 'Feld einer eigenen Tabelle', title: 'Felder eigener Tabellen' },
    { one: 'custom-table-row', singular: 'Zeile einer eigenen Tabelle', title: 'Zeilen eigener Tabellen' },
  ],
  olderNames: 'Ältere Namen',
  allOf: (thing) => `Alle Ereignisse: ${thing}`,
  happened: (thing, verb) => `${thing}: ${verbs.get(verb) ?? verb}`,
  fires: 'Er sendet',
  firesAll: 'Er sendet alle Ereignisse.',
  firesOwn: 'Er sendet Ihr eigenes Ereignis dieses Namens, sobald es eines gibt.',
  firesOwnAll: 'Er sendet Ihre eigenen Ereignisse, deren Namen so beginnen.',
  neverFires:
    'Kein Ereignis heißt so: Der Auslöser wird gespeichert, sendet aber nie. Ein Typ enthält einen Punkt, etwa customer.created; ein * am Ende passt auf alles.',
  unknownType: 'In dieser Version heißt kein Ereignis so, daher sendet der Auslöser noch nicht.',
  stored: (type) => `Ein älterer Name für ${type}.`,

  secret: {
    label: 'Geheimnis',
    none: 'Aufrufe sind nicht signiert; der Empfänger kann sie nicht prüfen.',
    make: 'Geheimnis erzeugen',
    own: 'Eigenes verwenden',
    ownLabel: 'Ihr Geheimnis',
    ownHint: 'Die übliche Form ist whsec_ gefolgt von Base64; jeder andere Text wird verwendet, wie er ist.',
    set: 'Aufrufe werden mit diesem Geheimnis signiert. Nur sein Ende wird gezeigt.',
    replace: 'Neues erzeugen',
    remove: 'Entfernen',
    willBeRemoved: 'Das Geheimnis wird beim Speichern entfernt. Danach sind Aufrufe nicht mehr signiert.',
    made: 'Aufrufe werden mit einem neuen Geheimnis signiert. Es wird einmal gezeigt, wenn Sie speichern.',
    undo: 'Rückgängig',
    title: 'Kopieren Sie dieses Geheimnis jetzt',
    once: 'Ihr Empfänger braucht es, um Aufrufe zu prüfen. Es wird nur einmal gezeigt.',
    old: 'Alle Aufrufe sind ab jetzt mit dem neuen Geheimnis signiert, und für 24 Stunden auch mit dem bisherigen.',
    kept: 'Ich habe es kopiert',
  },

  states: { all: 'Alle', succeeded: 'Erfolgreich', pending: 'Ausstehend', failed: 'Fehlgeschlagen' },
  deliveriesEmpty: 'Noch keine Zustellungen',
  deliveriesEmptyHint:
    'Jedes gesendete Ereignis steht hier 30 Tage lang mit seinen Versuchen. Senden Sie ein Testereignis, um eines zu sehen.',
  deliveriesNone: 'Keine Treffer',
  deliveriesNoneHint: 'Keine Zustellung hat diesen Status.',
  due: 'jetzt',
  again: 'Erneut senden',
  againDone: 'Die Zustellung wird erneut gesendet.',
  againAll: 'Fehlgeschlagene erneut senden…',
  againAllTitle: 'Fehlgeschlagene Zustellungen erneut senden',
  againAllHint: 'Alle seither fehlgeschlagenen Zustellungen werden erneut gesendet, die ältesten zuerst.',
  againAllRun: 'Erneut senden',
  againAllDone: (count) =>
    count === 0
      ? 'Seither ist keine Zustellung fehlgeschlagen.'
      : count === 1
        ? 'Eine Zustellung wird erneut gesendet.'
        : `${count.toLocaleString(locale)} Zustellungen werden erneut gesendet.`,
  againProgress: (count) => `Bisher ${count.toLocaleString(locale)}…`,
  replay: 'Ereignisse nachsenden…',
  replayTitle: 'Ereignisse nachsenden',
  replayHint:
    'Alle passenden Ereignisse seit diesem Zeitpunkt werden noch einmal in ihrer Reihenfolge gesendet, auch bereits zugestellte. Ein Empfänger erkennt Ereignisse, die er schon hat, an ihrer Id.',
  replayRun: 'Nachsenden',
  replayDone: 'Die Ereignisse werden noch einmal gesendet.',
  since: 'Seit',
  sinceOther: 'Andere Zeit',
  sinceAt: 'Datum und Uhrzeit',
  sinceMissing: 'Geben Sie Datum und Uhrzeit ein.',
  sincePresets: { hour: 'Vor einer Stunde', day: 'Vor einem Tag', week: 'Vor einer Woche', month: 'Vor 30 Tagen' },
  more: 'Mehr',

  delivery: {
    title: 'Zustellung',
    attempts: 'Versuche',
    noAttempt: 'Noch kein Versuch.',
    attempt: (n) => `Versuch ${n}`,
    kept: (n) => `Die letzten ${n} Versuche werden aufbewahrt.`,
    took: (ms) =>
      ms < 1000
        ? `${ms} ms`
        : `${(ms / 1000).toLocaleString(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s`,
    noAnswer: 'Keine Antwort',
    answer: 'Antwort',
    noText: 'Die Antwort hatte keinen Text.',
    next: 'Nächster Versuch',
    request: 'Aufruf',
    headers: 'Header',
    body: 'Inhalt',
    bodyHint: 'Wie er jetzt gesendet würde, mit dem jetzigen Namen des Auslösers.',
    testBody: 'Ein Testereignis enthält den Auslöser, wie er damals war; hier steht er, wie er jetzt ist.',
    eventGone: 'Das Ereignis wird nicht mehr aufbewahrt; sein Inhalt lässt sich weder zeigen noch erneut senden.',
    signature: 'v1 und die Signatur dieses Aufrufs',
    unsigned: 'fehlt: der Auslöser hat kein Geheimnis',
    perAttempt: 'Unix-Zeit des Versuchs, in Sekunden',
    gone: 'Diese Zustellung gibt es nicht mehr.',
    event: 'Ereignis',
    sequence: 'Laufende Nummer',
  },

  verify: {
    title: 'Aufrufe prüfen',
    hint: 'Jeder Aufruf ist nach Standard Webhooks signiert: HMAC-SHA256 über id.timestamp.body mit dem Geheimnis. Prüfen Sie die Signatur, bevor Sie den Inhalt lesen, und lehnen Sie Aufrufe ab, die älter als fünf Minuten sind.',
    noSecret:
      'Dieser Auslöser hat noch kein Geheimnis, seine Aufrufe sind nicht signiert. Erzeugen Sie zuerst eines in den Einstellungen.',
    headers: 'Header',
    header: 'Header',
    meaning: 'Bedeutung',
    id: 'Die Id des Ereignisses, gleich bei jedem Versuch. Speichern Sie sie, um jedes Ereignis nur einmal zu verarbeiten.',
    timestamp: 'Beginn dieses Versuchs als Unix-Zeit in Sekunden.',
    signature: 'v1, ein Komma und die Signatur in Base64. Mehrere Signaturen sind durch Leerzeichen getrennt.',
    apiKey: 'Das Geheimnis selbst, für Werkzeuge, die nur einen Header vergleichen können.',
    receiver: 'Beispiel eines Empfängers',
    receiverHint: 'Lauscht auf Port 9000 und liest SECRET aus seiner Umgebung. Er braucht keine Pakete.',
    language: 'Sprache',
  },

  events: {
    title: 'Ereignisse',
    description: 'Alles, was in diesem Unternehmen geschieht, sobald es geschieht.',
    type: 'Typ oder Muster',
    typePlaceholder: 'customer.*',
    wrongType: (said) => {
      const meant = /did you mean (.+)\?/.exec(said)?.[1]
      const right = meant ? `War ${meant} gemeint?` : 'Typen sehen so aus: customer.created oder customer.*'
      return `Das ist kein Ereignistyp. ${right}`
    },
    record: 'Id des Datensatzes',
    wrongRecord: () => 'Geben Sie höchstens 100 Ids an, durch Kommas getrennt.',
    pause: 'Anhalten',
    resume: 'Fortsetzen',
    live: 'Live',
    connecting: 'Verbindung wird aufgebaut…',
    away: 'Getrennt, neuer Versuch…',
    paused: 'Angehalten',
    arrived: (count, type) =>
      count === 1 ? `Neues Ereignis: ${type}` : `${count.toLocaleString(locale)} neue Ereignisse, das letzte: ${type}`,
    list: 'Ereignisse, neueste zuerst',
    empty: 'Keine neueren Ereignisse',
    emptyHint: 'Neue Ereignisse erscheinen hier sofort. Sie werden 30 Tage aufbewahrt.',
    emptyFiltered: 'Keine passenden neueren Ereignisse',
    earlier: 'Ältere Ereignisse suchen',
    looking: 'Suche…',
    noEarlier: 'Ältere Ereignisse werden nicht aufbewahrt.',
    full: (count) =>
      `Die neuesten ${count.toLocaleString(locale)} Ereignisse werden gezeigt. Filtern Sie, um ältere zu sehen.`,
    clear: 'Filter entfernen',
    close: 'Schließen',
    one: 'Ereignis',
    data: 'Daten',
    changes: 'Änderungen',
    member: 'Feld',
    before: 'Vorher',
    after: 'Nachher',
    open: 'Datensatz öffnen',
    onlyRecord: 'Nur dieser Datensatz',
    onlyType: 'Nur dieser Typ',
    sequence: (n) => `Nummer ${n}`,
  },
}
