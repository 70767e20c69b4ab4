// Was der Dienst von Aufrufen an Empfänger und von ausgeschalteten Auslösern auf Englisch sagt. Ein Satz, der hier fehlt, bleibt englisch.

const sentences = new Map(
  Object.entries({
    'The receiver answered 410 Gone.': 'Der Empfänger hat mit 410 Gone geantwortet.',
    'Every call failed for 5 days.': 'Fünf Tage lang ist jeder Aufruf fehlgeschlagen.',
    'Switched off by request.': 'Auf Wunsch ausgeschaltet.',
    'Its apiKey is not in the file of the company. Set apiKey, and isActive to true.':
      'Sein Geheimnis war nicht in der Datei des Unternehmens. Geben Sie es ein und schalten Sie den Auslöser ein.',
    'The response body was cut off or did not end in time; its status counts.':
      'Der Text der Antwort brach ab oder endete nicht rechtzeitig; ihr Status zählt.',
    'The receiver redirected the call. Redirects are not followed: set triggerUrl to the final address.':
      'Der Empfänger hat den Aufruf umgeleitet. Umleitungen werden nicht befolgt: Geben Sie die endgültige Adresse ein.',
    'The receiver closed the connection before it answered.':
      'Der Empfänger hat die Verbindung geschlossen, bevor er geantwortet hat.',
    'The receiver refused the connection.': 'Der Empfänger hat die Verbindung abgelehnt.',
    'The connection timed out.': 'Die Verbindung kam nicht rechtzeitig zustande.',
    'There is no network route to the receiver.': 'Es führt kein Weg im Netz zum Empfänger.',
    "The receiver's certificate is from an authority that is not trusted, or its chain is incomplete.":
      'Das Zertifikat des Empfängers ist von einer Stelle, der nicht vertraut wird, oder seine Kette ist unvollständig.',
    "The receiver's certificate is self-signed.": 'Das Zertifikat des Empfängers ist selbst signiert.',
    "The receiver's certificate has expired.": 'Das Zertifikat des Empfängers ist abgelaufen.',
    "The receiver's certificate is not valid yet.": 'Das Zertifikat des Empfängers gilt noch nicht.',
    "The receiver's certificate was revoked.": 'Das Zertifikat des Empfängers wurde widerrufen.',
    "The receiver's certificate is for another name.": 'Das Zertifikat des Empfängers gilt für einen anderen Namen.',
    'The response headers are too long.': 'Die Header der Antwort sind zu lang.',
    'The response is not HTTP.': 'Die Antwort ist kein HTTP.',
    'The receiver supports no TLS at this address, or only versions that cannot be used.':
      'Der Empfänger unterstützt an dieser Adresse kein TLS oder nur Versionen, die nicht verwendbar sind.',
    'The call failed.': 'Der Aufruf ist fehlgeschlagen.',
    'The URL must be an absolute http or https URL.': 'Die URL muss mit http:// oder https:// beginnen.',
    'The URL must not contain a user name or password.': 'Die URL darf weder Benutzernamen noch Passwort enthalten.',
    'The URL must not name port 0.': 'Die URL darf nicht Port 0 nennen.',
  }),
)

const ofName = new Map(
  Object.entries({
    'does not exist': 'existiert nicht',
    'has no address': 'hat keine Adresse',
    'could not be resolved in time': 'konnte nicht rechtzeitig aufgelöst werden',
    'cannot be resolved at the moment': 'kann zurzeit nicht aufgelöst werden',
    'is not a name that can be resolved': 'kann nicht aufgelöst werden',
  }),
)

/** Der Satz auf Deutsch. */
export function saidOfReceiver(sentence: string): string {
  const known = sentences.get(sentence)
  if (known !== undefined) return known
  const seconds = /^No response within ([\d.]+) s\.$/.exec(sentence)
  if (seconds) return `Keine Antwort innerhalb von ${seconds[1]} s.`
  const code = /^The call failed \((\w+)\)\.$/.exec(sentence)
  if (code) return `Der Aufruf ist fehlgeschlagen (${code[1]}).`
  const [, name, what = ''] = /^The name (\S+) (.+)\.$/.exec(sentence) ?? []
  const ending = ofName.get(what)
  if (ending !== undefined) return `Der Name ${name} ${ending}.`
  const neverFires = /^No event has this type, so the trigger never fires; (did you mean (.+)\?)?/.exec(sentence)
  if (neverFires) {
    const instead = neverFires[2] ? `war ${neverFires[2]} gemeint?` : 'legen Sie für jeden Typ einen eigenen an.'
    return `Kein Ereignis hat diesen Typ, daher sendet der Auslöser nie; ${instead}`
  }
  if (sentence.startsWith('The URL must lead to a public address'))
    return 'Die URL muss zu einer öffentlichen Adresse führen.'
  return sentence
}
