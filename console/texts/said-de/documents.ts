import type { SaidPairs } from '../../lib/said.ts';

/** Mistakes in a document, and values that are hardly meant: after their path, as the rest of a sentence. */
export const DOCUMENTS_DE: SaidPairs = [
  // Any key.
  ['is required', 'fehlt'],
  ['is required: {}', 'fehlt: {}'],
  ['must be {}', 'erwartet wird {}'],
  ['must be an object of keys and values', 'muss ein Objekt mit Schlüsseln und Werten sein'],
  ['unknown key `{}`', 'unbekannter Schlüssel `{}`'],
  ['unknown key `{}`; known keys: {}', 'unbekannter Schlüssel `{}`; bekannt sind: {=}'],
  ['and {} more unknown keys', 'und {} weitere unbekannte Schlüssel'],
  ['and {} more errors', 'und {} weitere Fehler'],
  ['must be one of {}', 'erlaubt sind nur: {=}'],
  ['is required: one of {}', 'fehlt; erlaubt sind: {=}'],
  [
    'must be a template: a `kind` and its parameters',
    'muss eine Vorlage sein: ein `kind` und seine Parameter',
  ],
  ['a duration such as `30s`, `5m`, `3h` or `2d`', 'eine Dauer wie `30s`, `5m`, `3h` oder `2d`'],
  ['must be between {} and {}, not {}', 'muss zwischen {} und {} liegen, nicht {}'],
  ['`{}` is not a duration: {}', '`{=}` ist keine Dauer: {}'],
  ['it has no unit; write `{}s` for seconds', 'die Einheit fehlt; schreib `{}s` für Sekunden'],
  [
    'write one number and one unit, such as `90m` for `1h30m`',
    'schreib eine Zahl und eine Einheit, zum Beispiel `90m` statt `1h30m`',
  ],
  [
    'write a number with ms, s, m, h or d, such as `30s` or `3d`',
    'schreib eine Zahl mit ms, s, m, h oder d, zum Beispiel `30s` oder `3d`',
  ],
  [
    '`{}` is finer than a millisecond, the smallest step',
    '`{}` ist feiner als eine Millisekunde, der kleinste Schritt',
  ],
  ['`{}` is too long for a duration', '`{}` ist als Dauer zu lang'],
  ['a whole number from {} to {}', 'eine ganze Zahl von {} bis {}'],
  ['must not be empty', 'darf nicht leer sein'],
  ['must have at least {}', 'muss mindestens {} haben'],
  ['must have at most {}', 'darf höchstens {} haben'],
  ['must have at most {} characters', 'darf höchstens {} Zeichen haben'],
  ['must be at most {} actions', 'darf höchstens {} Aktionen haben'],
  ['names of secrets', 'Namen von Secrets'],
  ['names of routes', 'Namen von Routen'],
  ['regular expressions', 'reguläre Ausdrücke'],
  ['must be text', 'muss ein Text sein'],
  ['must be text: put it in quotes', 'muss ein Text sein: Setze es in Anführungszeichen'],
  [
    'must be text: put the number in quotes, such as "+49 151 12345678"',
    'muss ein Text sein: Setze die Nummer in Anführungszeichen, zum Beispiel "+49 151 12345678"',
  ],
  ['must be the name of a secret', 'muss der Name eines Secrets sein'],
  [
    'must be the NAME of a secret (A–Z, 0–9, _), never its value: set it with `wrangler secret put`',
    'muss der NAME eines Secrets sein (A–Z, 0–9, _), nie sein Wert: Den setzt `wrangler secret put`',
  ],
  [
    'is a credential of hookbell itself and cannot sign webhooks',
    'gehört hookbell selbst und kann keine Webhooks signieren',
  ],
  ['must be true or false', 'muss true oder false sein'],
  ['must be true or absent', 'muss true sein oder fehlen'],
  ['must be `failed` or absent', 'muss `failed` sein oder fehlen'],
  ['must be an object of texts', 'muss ein Objekt aus Texten sein'],
  ['must be an object of numbers', 'muss ein Objekt aus Zahlen sein'],
  ['must map name to document', 'muss ein Objekt sein: je Name ein Dokument'],
  ['must map name to text', 'muss ein Objekt sein: je Name ein Text'],
  ['must map path to text', 'muss ein Objekt sein: je Pfad ein Text'],
  ['there is no {} `{}`', 'diesen Namen gibt es nicht ({}): `{}`'],
  ['{}; did you mean `{}`?', '{}; meinst du `{}`?'],
  ['{}; there are none yet', '{}; es gibt noch keine'],
  ['{}; there is {}', '{}; es gibt nur {}'],
  ['{}; there are {}', '{}; es gibt {}'],
  ['there is no template `{}`', 'die Vorlage `{}` gibt es nicht'],
  ['there is no field `{}`', 'das Feld `{}` gibt es nicht'],
  ['there is no account `{}`', 'das Konto `{}` gibt es nicht'],
  [
    '{} (each but `default` needs a document under accounts)',
    '{} (jedes außer `default` braucht ein Dokument unter accounts)',
  ],
  ['there is no recipients list `{}`', 'die Liste `{=}` gibt es nicht'],
  ['{} of the recipients list `{}`', '{} (in der Liste `{}`)'],
  ['there is no person `{}`', 'die Person `{=}` gibt es nicht'],
  // Rotations.
  [
    'a date and time in the time zone of the rotation, such as "2026-01-31T09:00", in quotes',
    'ein Datum mit Uhrzeit in der Zeitzone der Rotation, in Anführungszeichen, zum Beispiel "2026-01-31T09:00"',
  ],
  [
    'a number of days or weeks, such as `1w` or `2d`, at most {}d',
    'eine Zahl von Tagen oder Wochen, zum Beispiel `1w` oder `2d`, höchstens {}d',
  ],
  [
    'overlaps with override {} ({}, until {}): end one before the other begins',
    'überschneidet sich mit Vertretung {} ({=}, bis {}): Beende die eine, bevor die andere beginnt',
  ],
  [
    'have no turn in a `rotation`: give them names under `people`, or put them into another list and add it to the routes',
    'sind in einer `rotation` nie an der Reihe: Gib ihnen Namen unter `people`, oder setz sie in eine weitere Liste und nenne auch diese in den Routen',
  ],
  ['there is no provider `{}`', 'den Anbieter `{}` gibt es nicht'],
  ['there is no action `{}`', 'die Aktion `{}` gibt es nicht'],
  [
    '{}. The template links to it: add `actions: { {}: { label: … } }`',
    '{}. Die Vorlage verlinkt dorthin: Ergänze `actions: { {}: { label: … } }`',
  ],
  ['there is no route `{}`', 'die Route `{}` gibt es nicht'],
  // Accounts and their gateways.
  ['an https URL', 'eine https-Adresse'],
  [
    'must be an https URL (http only to this machine); write `{secret}` where its secret part goes',
    'muss eine https-Adresse sein (http nur auf diesem Rechner); schreib `{secret}` an die Stelle des geheimen Teils',
  ],
  [
    'is required: name the Worker secret that replaces `{secret}` in `url`',
    'fehlt: Nenne das Secret, das `{secret}` in `url` ersetzt',
  ],
  ['must contain `{secret}` where the secret goes', 'muss `{secret}` enthalten, an der Stelle des Secrets'],
  [
    'must be `{ per_minute, burst }`, or false for no limit',
    'muss `{ per_minute, burst }` sein, oder false für kein Limit',
  ],
  ['must be `{ per_hour }`, or false for no limit', 'muss `{ per_hour }` sein, oder false für kein Limit'],
  [
    'must be `{ per_minute, burst, mib_per_hour, messages_per_minute }`, or false for no limit',
    'muss `{ per_minute, burst, mib_per_hour, messages_per_minute }` sein, oder false für kein Limit',
  ],
  [
    'must be an http(s) address without a query, such as https://chat.example.com',
    'muss eine http(s)-Adresse ohne Query sein, zum Beispiel https://chat.example.com',
  ],
  [
    'is not a regular expression; write `\\` before characters that are meant literally',
    'ist kein regulärer Ausdruck; schreib `\\` vor Zeichen, die wörtlich gemeint sind',
  ],
  [
    'could take very long on some texts, as `(a+)+`, `(a|a)*`, `a*a*` and several `.*` do, or has `(?<=…)` or `\\1`: repeat only what ends at another character, such as `[^,]*,`',
    'könnte bei manchen Texten sehr lange dauern, wie `(a+)+`, `(a|a)*`, `a*a*` und mehrere `.*`, oder enthält `(?<=…)` oder `\\1`: wiederhole nur, was an einem anderen Zeichen endet, zum Beispiel `[^,]*,`',
  ],
  ['must be a text, a number, true or false', 'muss ein Text, eine Zahl, true oder false sein'],
  [
    'must be the end of a name such as TOKEN: the secret is then GATEWAY_<ACCOUNT>_TOKEN',
    'muss das Ende eines Namens sein, zum Beispiel TOKEN: Das Secret heißt dann GATEWAY_<KONTO>_TOKEN',
  ],
  [
    'would read {}, which can be another account’s secret or a `v2` login: choose another word without `_`',
    'läse {}, und das kann das Secret eines anderen Kontos oder ein `v2`-Login sein: wähle ein anderes Wort ohne `_`',
  ],
  [
    '{} is part of a `v2` login while {} is set: `npx wrangler secret delete {}`',
    '{} ist Teil eines `v2`-Logins, solange {} gesetzt ist: `npx wrangler secret delete {}`',
  ],
  [
    'names the host {}, which the variable GATEWAY_HOSTS does not list: name one that it lists, or add it there and deploy',
    'nennt den Host {}, der nicht in der Variable GATEWAY_HOSTS steht: nenne einen von dort, oder trage ihn ein und stelle neu bereit',
  ],
  [
    'sends its secrets to {} from now on, no longer to {}: check that this is meant',
    'schickt seine Secrets ab jetzt an {}, nicht mehr an {}: prüfe, ob das so gemeint ist',
  ],
  [
    'has a line break or another character invalid in headers',
    'hat einen Zeilenumbruch oder ein Zeichen, das in Headern nicht erlaubt ist',
  ],
  ['`{}` is a recipients list: name one receiver', '`{}` ist eine Empfängerliste: nenne einen Empfänger'],
  [
    '`{}` is read as a {}; did you mean the recipients list `{}`?',
    '`{}` gilt als {}; war die Empfängerliste `{}` gemeint?',
  ],
  [
    'must be texts, numbers, true, false, lists and objects of these, at most {} deep',
    'darf nur aus Texten, Zahlen, true, false und Listen und Objekten daraus bestehen, höchstens {} tief',
  ],
  ['a path below `base_url` such as /send', 'ein Pfad unter `base_url` wie /send'],
  [
    'must begin with `/`, and have no space, `#` or backslash',
    'muss mit `/` beginnen und darf weder Leerzeichen noch `#` noch `\\` enthalten',
  ],
  [
    'must be phone, or `{ address, what }`: the pattern of an address, and what people call one',
    'muss phone sein, oder `{ address, what }`: das Muster einer Adresse, und wie man sie nennt',
  ],
  [
    'must be a list of two texts: the user and the password',
    'muss eine Liste aus zwei Texten sein: Benutzer und Passwort',
  ],
  [
    'must be `{ field, is }`, or `{ matches }`: what proves that a message was sent',
    'muss `{ field, is }` sein, oder `{ matches }`: was beweist, dass eine Nachricht gesendet wurde',
  ],
  ['is only for `gateway: http`', 'ist nur für `gateway: http`'],
  ['is required: how a message becomes a request', 'fehlt: wie aus einer Nachricht eine Anfrage wird'],
  [
    'is only for other gateways: this one’s address is GATEWAY_BASE_URL',
    'ist nur für andere Gateways: Die Adresse von diesem ist GATEWAY_BASE_URL',
  ],
  [
    'is required: the address of your {}, such as https://chat.example.com',
    'fehlt: die Adresse deines Gateways ({}), zum Beispiel https://chat.example.com',
  ],
  ['is not an option: `gateway: {}` has none', 'ist keine Option: `gateway: {}` hat keine'],
  ['is not an option; known ones: {}', 'ist keine Option; bekannt sind: {=}'],
  ['has an unknown field `{{}}`; known ones: {}', 'enthält ein unbekanntes Feld `{{}}`; es gibt {=}'],
  ['is not a header name', 'ist kein Name eines Headers'],
  [
    'needs exactly one of `json` and `form`: the body of the request',
    'braucht genau eines von `json` und `form`: den Body der Anfrage',
  ],
  ['is not a parameter of `{}`', 'ist kein Parameter von `{}`'],
  ['there is no gateway `{}` in this release', 'das Gateway `{}` gibt es in dieser Version nicht'],
  [
    '`base_url` is not set: the address of the gateway',
    '`base_url` ist nicht gesetzt: die Adresse des Gateways',
  ],
  [
    'a gateway that a document declares is not simulated: its `base_url` must be on this machine',
    'ein Gateway aus einem Dokument wird nicht simuliert: Seine `base_url` muss auf diesem Rechner sein',
  ],
  [
    'the secret {} has a line break or another character invalid in headers: set it again',
    'das Secret {} hat einen Zeilenumbruch oder ein anderes Zeichen, das in keinem Header stehen darf: Setze es neu',
  ],
  [
    'the secret {} is not set: `npx wrangler secret put {}`',
    'das Secret {} ist nicht gesetzt: `npx wrangler secret put {}`',
  ],
  [
    'GATEWAY_BASE_URL is not set: set it to the gateway’s address, which ends in /api, under [vars] in wrangler.toml',
    'GATEWAY_BASE_URL ist nicht gesetzt: Trage unter [vars] in wrangler.toml die Adresse des Gateways ein, die auf /api endet',
  ],
  [
    'the gateway base URL must be an http(s) address that ends in /api, without a query',
    'die Basis-URL des Gateways muss eine http(s)-Adresse ohne Query sein, die auf /api endet',
  ],
  [
    'the gateway {} is called over plain http, so the login and every message can be read in transit. Use https',
    'das Gateway {} wird ohne TLS aufgerufen, deshalb lassen sich Zugangsdaten und Nachrichten mitlesen. Nimm https',
  ],
  [
    'would read the same secrets as the account `{}`: give it another name',
    'würde dieselben Secrets lesen wie das Konto `{}`: Gib ihm einen anderen Namen',
  ],
  [
    'is removed, but still sends {} waiting message, with its last settings; it is listed until it is empty',
    'ist entfernt, mit {} wartenden Nachricht, die mit seinen letzten Einstellungen gesendet wird; es bleibt in der Liste, bis es leer ist',
  ],
  [
    'is removed, but still sends {} waiting messages, with its last settings; it is listed until it is empty',
    'ist entfernt, mit {} wartenden Nachrichten, die mit seinen letzten Einstellungen gesendet werden; es bleibt in der Liste, bis es leer ist',
  ],
  ['an unknown number of', 'einer unbekannten Zahl an'],
  ['the gateway', 'das Gateway'],
  ['this gateway', 'dieses Gateway'],
  // Names.
  [
    'the name of an account must be lower-case letters, digits, `-` and `_`, 32 at most, starting with a letter',
    'der Name eines Kontos darf nur Kleinbuchstaben, Ziffern, `-` und `_` haben, höchstens 32, am Anfang ein Buchstabe',
  ],
  [
    'the name must be letters, digits, `-` and `_`, 64 at most, starting with a letter or digit',
    'der Name darf nur Buchstaben, Ziffern, `-` und `_` haben, höchstens 64, am Anfang ein Buchstabe oder eine Ziffer',
  ],
  [
    'the name of a recipients list must not look like a number',
    'der Name einer Empfängerliste darf nicht wie eine Nummer aussehen',
  ],
  [
    'the name must not begin with `{}`, as the ids of silences added by hand do',
    'der Name darf nicht mit `{}` beginnen, wie die IDs der Stummschaltungen von Hand',
  ],
  ['a name, as text', 'ein Name, als Text'],
  [
    'must be 1 to 64 of A–Z, a–z, 0–9, `-` and `_`, starting with a letter or digit',
    'darf 1 bis 64 Zeichen aus A–Z, a–z, 0–9, `-` und `_` haben, am Anfang ein Buchstabe oder eine Ziffer',
  ],
  [
    'is not a valid name: at most 64 characters, without `/`, `{` or line breaks',
    'ist kein Name: höchstens 64 Zeichen, ohne `/`, `{` und Zeilenumbrüche',
  ],
  // Actions and links.
  [
    'a duration from {} to {} such as `1h`, or a time in quotes such as "07:00"',
    'eine Dauer von {} bis {} wie `1h`, oder eine Uhrzeit in Anführungszeichen wie "07:00"',
  ],
  ['must be an object of actions by name', 'muss ein Objekt sein: je Name eine Aktion'],
  [
    'is not an action name: lower-case letters, digits and `_`, 20 at most, starting with a letter',
    'ist kein Name einer Aktion: Kleinbuchstaben, Ziffern und `_`, höchstens 20, am Anfang ein Buchstabe',
  ],
  [
    'belongs to actions named `silence` or `silence_…`: `silence_4h: { silence: 4h }`',
    'gehört zu Aktionen, die `silence` oder `silence_…` heißen: `silence_4h: { silence: 4h }`',
  ],
  [
    '`start` is reserved for opting in again after `stop`: choose another name',
    '`start` ist dafür reserviert, `stop` rückgängig zu machen: Gib der Aktion einen anderen Namen',
  ],
  [
    '`{}` is built in, for the incidents of a route: add `incident`, or choose another name',
    '`{}` ist eingebaut, für die Störungen einer Route: Ergänze `incident`, oder nimm einen anderen Namen',
  ],
  [
    'is required: the text of the button, such as `label: Approve`',
    'fehlt: die Aufschrift des Buttons, zum Beispiel `label: Freigeben`',
  ],
  [
    'has no use: a status has no receiver who could press',
    'hat keinen Zweck: Ein Status hat keinen Empfänger, der drücken könnte',
  ],
  [
    'has no use: a message to a visitor must not have a link',
    'hat keinen Zweck: Eine Nachricht an Besucher darf keinen Link haben',
  ],
  [
    'needs the variable PUBLIC_URL for its links: the address of this relay as phones reach it, such as https://hooks.example.com, of at most {} characters and without a query',
    'braucht für die Links die Variable PUBLIC_URL: die Adresse, unter der Telefone dieses Relay erreichen, zum Beispiel https://hooks.example.com, höchstens {} Zeichen und ohne Query',
  ],
  [
    'is required: route `{}` of source `{}` sends a status of `priority: high`, which has no receiver',
    'fehlt: Die Route `{}` der Quelle `{}` sendet einen Status mit `priority: high`, und der hat keinen Empfänger',
  ],
  [
    'has links. They begin with {}, the address of this publish: set the variable PUBLIC_URL to the address of this relay as phones reach it',
    'hat Links. Sie beginnen mit {}, der Adresse dieser Veröffentlichung: Setze die Variable PUBLIC_URL auf die Adresse, unter der Telefone dieses Relay erreichen',
  ],
  // Incidents, groups, hours.
  [
    'must be an IANA time zone such as Europe/Berlin',
    'muss eine IANA-Zeitzone sein, zum Beispiel Europe/Berlin',
  ],
  [
    'a time from "00:00" to "{}", in quotes, such as "07:30"',
    'eine Uhrzeit von "00:00" bis "{}", in Anführungszeichen, zum Beispiel "07:30"',
  ],
  [
    'must differ from `from` (a whole day is "00:00" to "24:00") and the hours must not fill the week',
    'muss anders sein als `from` (ein ganzer Tag ist "00:00" bis "24:00") und einen Teil der Woche freilassen',
  ],
  ['must be `{ max, per }`, or a list of these', 'muss `{ max, per }` sein, oder eine Liste davon'],
  [
    'must be a time with its offset from UTC, such as 2026-01-31T22:00:00+01:00',
    'muss eine Zeit mit ihrem Abstand zu UTC sein, zum Beispiel 2026-01-31T22:00:00+01:00',
  ],
  ['must be shorter than `expires`, {}', 'muss kürzer sein als `expires`, {}'],
  ['must not be longer than `interval`, {}', 'darf nicht länger sein als `interval`, {}'],
  [
    'requires `acknowledged`: the condition under which an item acknowledges',
    'braucht `acknowledged`: die Bedingung, unter der ein Eintrag in Arbeit ist',
  ],
  [
    'is the same for all items; use a time that the sender gives, such as "{{ item.at }}"',
    'ist für alle Einträge gleich; nimm eine Zeit, die der Absender nennt, zum Beispiel "{{ item.at }}"',
  ],
  [
    'is the same for all items, so they are one incident; use a value that differs, such as "{{ item.id }}"',
    'ist für alle Einträge gleich, deshalb sind sie eine einzige Störung; nimm einen Wert, der sich unterscheidet, zum Beispiel "{{ item.id }}"',
  ],
  [
    'needs `incident`: only an incident can be acknowledged',
    'braucht `incident`: Nur eine Störung kann jemand übernehmen',
  ],
  ['must be longer than that of the step before, {}', 'muss länger sein als beim Schritt davor, {}'],
  [
    'must be a number or a recipients list: there is no payload any more when a step is taken',
    'muss eine Nummer oder eine Empfängerliste sein: Beim Eskalieren fehlt der Payload',
  ],
  [
    'is shorter than `group.wait`, {}: nobody is notified by then',
    'ist kürzer als `group.wait`, {}: Bis dahin ist niemand benachrichtigt',
  ],
  [
    'has no receivers, so the next step is taken at once: fill its lists',
    'hat keine Empfänger, deshalb folgt sofort der nächste Schritt: Fülle die Listen',
  ],
  [
    'has no receivers, so incidents begin with step {}: fill its lists',
    'hat keine Empfänger, deshalb beginnen Störungen mit Schritt {}: Fülle die Listen',
  ],
  [
    'notifies nobody new: all of them are notified earlier',
    'benachrichtigt niemanden, der es nicht schon weiß: Alle sind vorher benachrichtigt',
  ],
  ['has no effect: `priority: high` is exempt', 'wirkt nicht: `priority: high` ist ausgenommen'],
  [
    'its template uses names that only notifications of incidents and groups have: {}',
    'die Vorlage verwendet Namen, die es nur in Benachrichtigungen über Störungen und Gruppen gibt: {}',
  ],
  [
    'has no `timezone`, so its hours are in {}; name one, such as Europe/Berlin',
    'hat keine `timezone`, deshalb gelten die Uhrzeiten in {}; nenne eine, zum Beispiel Europe/Berlin',
  ],
  [
    'names its own incident, `{}`, which inhibits nothing',
    'nennt die eigene Störung, `{}`, und hält damit nichts zurück',
  ],
  [
    'leads back to its own incident: {}. The first to open is notified; name an incident that depends on none of them',
    'führt zur eigenen Störung zurück: {=}. Gemeldet wird davon die ältere; nenne eine Störung, die von keiner davon abhängt',
  ],
  ['must be after `from`', 'muss nach `from` liegen'],
  [
    'is in the past: the silence no longer has any effect',
    'liegt in der Vergangenheit: Die Stummschaltung wirkt nicht mehr',
  ],
  // Fallbacks and receivers.
  ['{}. A fallback names that account', '{}. Ein Ersatz nennt dieses Konto'],
  ['sends a status, but {} (account `{}`) cannot', 'sendet einen Status, den {} (Konto `{}`) nicht hat'],
  ['is a status, and {} has none', 'ist ein Status, den {} nicht hat'],
  ['`numbers` of the list `{}`', '`numbers` der Liste `{}`'],
  ['`{}` of the list `{}`', '`{=}` der Liste `{}`'],
  [
    '{} has no phone number, which account `{}` needs: name a recipients list whose people have a `phone`',
    '{}: ohne Telefonnummer, aber das Konto `{}` braucht eine; nenne eine Liste, deren Personen ein `phone` haben',
  ],
  [
    '{} has no {}, which account `{}` needs: name a recipients list whose people have one: `people: { anna: { address: { {}: "…" } } }`',
    '{}: ohne Adresse ({}), aber das Konto `{}` braucht eine; nenne eine Liste, deren Personen eine haben: `people: { anna: { address: { {}: "…" } } }`',
  ],
  [
    'is refused here: a status goes to all contacts and has no receiver',
    'ist hier nicht erlaubt: Ein Status geht an alle Kontakte und hat keinen Empfänger',
  ],
  [
    'is required: a number, the name of a recipients list, or a template such as "{{ payload.phone }}"',
    'fehlt: eine Nummer, der Name einer Empfängerliste oder eine Vorlage wie "{{ payload.phone }}"',
  ],
  [
    'is a phone number, and account `{}` sends to a {} ({}): {}',
    'ist eine Telefonnummer, aber das Konto `{}` sendet an etwas anderes: {} ({}). {}',
  ],
  [
    'is a phone number, and account `{}` sends to a topic ({}): {}',
    'ist eine Telefonnummer, aber das Konto `{}` sendet an ein Thema ({}). {}',
  ],
  [
    'the list `{}` has phone numbers, and account `{}` sends to a topic ({}): {}',
    'die Liste `{}` hat Telefonnummern, aber das Konto `{}` sendet an ein Thema ({}). {}',
  ],
  [
    'write a topic, or name a recipients list whose people have one: `people: { anna: { address: { {}: "…" } } }`',
    'Schreib ein Thema, oder nenne eine Liste, deren Personen eines haben: `people: { anna: { address: { {}: "…" } } }`',
  ],
  [
    'the list `{}` has phone numbers, and account `{}` sends to a {} ({}): {}',
    'die Liste `{}` hat Telefonnummern, aber das Konto `{}` sendet an etwas anderes: {} ({}). {}',
  ],
  [
    'write a {}, or name a recipients list whose people have one: `people: { anna: { address: { {}: "…" } } }`',
    'Schreib eine solche Adresse ({}), oder nenne eine Liste, deren Personen eine haben: `people: { anna: { address: { {}: "…" } } }`',
  ],
  [
    '`{}` of the list `{}` has no `phone`, which account `{}` needs',
    '`{=}` in der Liste `{}` hat kein `phone`, aber das Konto `{}` braucht eines',
  ],
  [
    '`{}` of the list `{}` has no {} for account `{}`: `address: { {}: "…" }`',
    '`{=}` in der Liste `{}` hat keine Adresse ({}) für das Konto `{}`: `address: { {}: "…" }`',
  ],
  [
    '`{}` of the list `{}` has a wrong {} for account `{}`: `address: { {}: "…" }`',
    '`{=}` in der Liste `{}` hat eine falsche Adresse ({}) für das Konto `{}`: `address: { {}: "…" }`',
  ],
  ['a topic', 'ein Thema'],
  ['a chat id', 'eine Chat-ID'],
  ['a user key', 'ein User-Key'],
  ['source {}', 'Quelle {}'],
  ['account {}', 'Konto {}'],
  ['the notifications of account {}', 'die Benachrichtigungen des Kontos {}'],
  ['the escape channel of account {}', 'der Notkanal des Kontos {}'],
  ['cannot be combined with `kind` and `secret`', 'lässt sich nicht mit `kind` und `secret` verbinden'],
  ['works only with `account`', 'wirkt nur zusammen mit `account`'],
  [
    'must be a number in quotes, the name of a recipients list, a template, or a list of these',
    'muss eine Nummer in Anführungszeichen, der Name einer Empfängerliste, eine Vorlage oder eine Liste davon sein',
  ],
  ['must be an object of addresses by gateway', 'muss ein Objekt sein: je Gateway eine Adresse'],
  [
    'must be a number in quotes, or `{ phone, address }`',
    'muss eine Nummer in Anführungszeichen sein, oder `{ phone, address }`',
  ],
  ['must be an object of people by name', 'muss ein Objekt sein: je Name eine Person'],
  [
    'is required: a list of numbers, or `people` by name',
    'fehlt: eine Liste von Nummern, oder `people` mit Namen',
  ],
  [
    '{} does not begin with a country code: check it',
    '{} beginnt mit keiner Landesvorwahl: Prüfe die Nummer',
  ],
  [
    '{} has a 0 after {} that is not dialled from abroad: leave it out',
    '{} hat nach {} eine 0, die man aus dem Ausland nicht wählt: Lass sie weg',
  ],
  [
    '{} is not a valid number: the digits after {}, or how many there are, cannot be right',
    '{} ist keine gültige Nummer: Die Ziffern nach {} oder ihre Anzahl können nicht stimmen',
  ],
  ['and {} more such numbers', 'und {} weitere solche Nummern'],
  [
    'has {} receivers, but the source may make only {} messages a minute: the others get nothing. Raise `limit.messages_per_minute`',
    'hat {} Empfänger, aber die Quelle darf nur {} Nachrichten pro Minute erzeugen: Die übrigen bekommen nichts. Erhöhe `limit.messages_per_minute`',
  ],
  [
    'takes a number from the sender, and anybody can send: strangers can make you text any phone. Limit the source’s `countries`, such as [DE]',
    'nimmt eine Nummer vom Absender, und jeder kann senden: Fremde können über dich an jedes Telefon schreiben. Begrenze `countries` der Quelle, zum Beispiel auf [DE]',
  ],
  // Forms.
  [
    'is only for forms: it needs `provider: html-form`',
    'ist nur für Formulare: Es braucht `provider: html-form`',
  ],
  [
    'has no effect: a page cannot keep a secret. List the pages that may post in `origins`',
    'wirkt nicht: Eine Seite kann nichts geheim halten. Nenne die erlaubten Seiten bei `origins`',
  ],
  [
    'is missing, so any page can post this form. Name yours: `origins: [https://shop.example]`',
    'fehlt, deshalb kann jede Seite dieses Formular senden. Nenne deine: `origins: [https://shop.example]`',
  ],
  [
    'is missing, and visitors write their numbers without a country code: those are refused. Name yours: `country: DE`',
    'fehlt, und Besucher schreiben ihre Nummern ohne Landesvorwahl: Die werden abgelehnt. Nenne deins: `country: DE`',
  ],
  [
    'must have names of up to 64 characters on one line, starting with a letter or a digit',
    'braucht Namen aus bis zu 64 Zeichen in einer Zeile, am Anfang ein Buchstabe oder eine Ziffer',
  ],
  ['must have at most {} fields', 'dürfen nicht mehr als {} sein'],
  ['drops everything: the form declares no `fields`', 'lässt alles weg: Das Formular nennt keine `fields`'],
  [
    'is `{}`, one of `fields`, which visitors fill in: name another',
    'ist `{}`, eines der `fields`, die Besucher ausfüllen: Nenne ein anderes',
  ],
  [
    'reserves the field `{}` for Turnstile: rename yours',
    'belegt das Feld `{}` für Turnstile: Gib deinem einen anderen Namen',
  ],
  [
    'stores no fields with `store: metadata`, so no form can be released from spam',
    'speichert mit `store: metadata` keine Felder, deshalb lässt sich kein Formular freigeben',
  ],
  [
    'must be a page’s origin, without a path, such as https://shop.example',
    'muss die Adresse einer Seite ohne Pfad sein, zum Beispiel https://shop.example',
  ],
  [
    'must be the full address of a page, such as https://shop.example/thanks',
    'muss die vollständige Adresse einer Seite sein, zum Beispiel https://shop.example/danke',
  ],
  [
    'must be the name of a field that people do not see, such as website',
    'muss der Name eines Felds sein, das man nicht sieht, zum Beispiel website',
  ],
  [
    'must be a list of origins such as https://shop.example, or any',
    'muss eine Liste von Adressen wie https://shop.example sein, oder any',
  ],
  ['must map name to field', 'muss ein Objekt sein: je Name ein Feld'],
  [
    'is only for routes of forms: `provider: html-form`',
    'ist nur für Routen von Formularen: `provider: html-form`',
  ],
  [
    'has no effect: `to` has no number from the form',
    'wirkt nicht: In `to` steht keine Nummer aus dem Formular',
  ],
  [
    'is required: `to` takes a number from the form. With `to_visitor: true`, a number gets few messages a day, with nothing from the form but names',
    'fehlt: `to` nimmt eine Nummer aus dem Formular. Mit `to_visitor: true` bekommt eine Nummer wenige Nachrichten am Tag, und aus dem Formular stehen darin nur Namen',
  ],
  [
    'has receivers besides the visitor: give them their own route',
    'hat außer dem Besucher noch andere Empfänger: Gib ihnen eine eigene Route',
  ],
  [
    'cannot be combined with `each`, or with anything that waits or groups',
    'lässt sich weder mit `each` verbinden noch mit etwas, das wartet oder gruppiert',
  ],
  [
    'sends `{}` to a visitor: only a text is allowed',
    'sendet `{}` an einen Besucher: Erlaubt ist nur ein Text',
  ],
  [
    '`{}` has a link, which a message to a visitor must not have',
    '`{}` hat einen Link, und das darf eine Nachricht an Besucher nicht',
  ],
  [
    'has a link, which a message to a visitor must not have',
    'hat einen Link, und das darf eine Nachricht an Besucher nicht',
  ],
  [
    '`{}` shows `{}`: a message to a visitor may show nothing from the form but a name; {}',
    '`{}` zeigt `{=}`: Aus dem Formular darf eine Nachricht an Besucher nur einen Namen zeigen; {}',
  ],
  ['the form declares no field of `kind: name`', 'das Formular hat kein Feld mit `kind: name`'],
  ['its names are {}', 'das sind: {=}'],
  // Routes.
  [
    'must be a `status` if, and only if, the route sends one',
    'muss genau dann ein `status` sein, wenn die Route einen sendet',
  ],
  [
    'must be longer than `delay`, {}: nothing would be sent',
    'muss länger sein als `delay`, {}: Sonst würde nichts gesendet',
  ],
  [
    'needs exactly one of `template` (a name) and `send` (an inline template)',
    'braucht genau eines von `template` (einen Namen) und `send` (die Vorlage selbst)',
  ],
  [
    'must be a `status` if, and only if, the template is one',
    'muss genau dann ein `status` sein, wenn die Vorlage einer ist',
  ],
  [
    'needs another `account`: this one would not send it any sooner',
    'braucht ein `account`: Dasselbe Konto würde es nicht früher senden',
  ],
  ['must be the name of a template, or a template', 'muss der Name einer Vorlage oder eine Vorlage sein'],
  [
    'is the same for all events, so only the first makes a message; use a value that differs, such as "{{ payload.id }}:paid"',
    'ist für alle Ereignisse gleich, deshalb ergibt nur das erste eine Nachricht; nimm einen Wert, der sich unterscheidet, zum Beispiel "{{ payload.id }}:paid"',
  ],
  [
    '`{}` has a link from the sender, and anybody can send: write its host into the template',
    '`{}` hat einen Link vom Absender, und jeder kann senden: Schreib den Host in die Vorlage',
  ],
  [
    '`{}` names `{}`, which is empty in a notification of a group, since it is about several events; use `{}` in `{% for x in new %}` … `{% endfor %}`',
    '`{}` nennt `{}`, das in der Benachrichtigung einer Gruppe leer ist, denn sie betrifft mehrere Ereignisse; nimm `{=}` in `{% for x in new %}` … `{% endfor %}`',
  ],
  [
    '`{}` names `{}`, which is empty in a digest, since it is about several events; use `{}` in `{% for x in new %}` … `{% endfor %}`',
    '`{}` nennt `{}`, das in einer Zusammenfassung leer ist, denn sie betrifft mehrere Ereignisse; nimm `{=}` in `{% for x in new %}` … `{% endfor %}`',
  ],
  [
    '`{}`: {}, so the gateway or the phone may not reach it',
    '`{}`: {}, deshalb erreichen Gateway oder Telefon die Adresse vielleicht nicht',
  ],
  ['{} is not a public name', '{} ist kein öffentlicher Name'],
  ['{} is not a public address ({})', '{} ist keine öffentliche Adresse ({=})'],
  [
    '`{}` is already the name of another route of this source',
    '`{}` heißt schon eine andere Route dieser Quelle',
  ],
  // Sources.
  ['Anything that posts a webhook', 'Beliebiger Webhook'],
  [
    'anybody who knows the address can send to this source',
    'jeder, der die Adresse kennt, kann an diese Quelle senden',
  ],
  [
    'has no effect: this source verifies its senders, so such numbers are accepted anyway',
    'wirkt nicht: Diese Quelle prüft ihre Absender, deshalb werden solche Nummern ohnehin akzeptiert',
  ],
  [
    'has no effect: `countries` decides, and includes their premium-rate numbers',
    'wirkt nicht: `countries` entscheidet, auch über die Sondernummern dieser Länder',
  ],
  ['needs a `provider`, or its own `verify`', 'braucht einen `provider` oder ein eigenes `verify`'],
  [
    'is required: {} does not sign its requests. Use what its starter suggests, or token, basic, hmac or none',
    'fehlt: Anfragen von {} sind nicht signiert. Nimm, was für den Anbieter vorbereitet ist, oder token, basic, hmac oder none',
  ],
  [
    'must name at least one secret to verify with, such as `secrets: [SHOP_WEBHOOK_SECRET]`',
    'muss mindestens ein Secret zum Prüfen nennen, zum Beispiel `secrets: [SHOP_WEBHOOK_SECRET]`',
  ],
  ['has no effect: the scheme is `{}`', 'wirkt nicht: Das Verfahren ist `{}`'],
  [
    'is required: tokens from {} contain the address that they are for. Write the one that you gave to {}, such as `url: https://hooks.example.com/hooks/{}`',
    'fehlt: Token von {=} nennen die Adresse, für die sie gelten. Schreib die, die du bei {=} eingetragen hast, zum Beispiel `url: https://hooks.example.com/hooks/{}`',
  ],
  [
    'is required: tokens from {} contain the address that they are for. Write the one that you gave to {}, such as `url: https://hooks.example.com/hooks/{}`, or name the audience in `verify.audience`',
    'fehlt: Token von {=} nennen die Adresse, für die sie gelten. Schreib die, die du bei {=} eingetragen hast, zum Beispiel `url: https://hooks.example.com/hooks/{}`, oder nenne die Audience bei `verify.audience`',
  ],
  [
    '{}: tokens from {} contain the address that it posts to',
    '{}: In Token von {=} steht die Adresse, an die gesendet wird',
  ],
  [
    'has no effect: `verify` does not cover the body, so whoever repeats a request can change it',
    'wirkt nicht: `verify` prüft den Body nicht. Wer eine Anfrage wiederholt, kann ihn ändern',
  ],
  [
    'has no effect: {} gets the answer that it expects',
    'wirkt nicht: {=} bekommt die Antwort, die es erwartet',
  ],
  ['must be 200; without it, the answer is 202', 'muss 200 sein; ohne ihn ist die Antwort 202'],
  [
    'has no effect: {} has no handshake with a secret',
    'wirkt nicht: {=} sendet vor den Webhooks kein Secret von dir',
  ],
  [
    'is missing: {} cannot confirm the address without it. Choose a secret, set it as a Worker secret, and name it: `handshake: { secret: NAME }`',
    'fehlt: {=} kann die Adresse sonst nicht bestätigen. Wähle ein Secret, setze es und nenne es: `handshake: { secret: NAME }`',
  ],
  [
    'names no secret, so events get 503. Run `npx hookbell pair {}`, create the webhook at {}, set the key as the secret that the command names, and name it here',
    'nennt kein Secret, deshalb bekommen Ereignisse 503. Führe `npx hookbell pair {}` aus, lege den Webhook an ({=}), setze den Schlüssel als das Secret, das der Befehl nennt, und nenne es hier',
  ],
  [
    'must be the full address that you gave to the provider, such as https://hooks.example.com/hooks/shop',
    'muss die vollständige Adresse sein, die du beim Anbieter eingetragen hast, zum Beispiel https://hooks.example.com/hooks/shop',
  ],
  [
    'must be a duration from 1s to 30d such as 24h, or false',
    'muss eine Dauer von 1s bis 30d sein, zum Beispiel 24h, oder false',
  ],
  [
    'must be an ISO 3166 country code in capitals such as DE, or GB for the United Kingdom',
    'muss ein Ländercode nach ISO 3166 in Großbuchstaben sein, zum Beispiel DE, oder GB für Großbritannien',
  ],
  [
    'must have a `default`, and language tags: `{ default: order-paid, de: order-paid-de }`',
    'braucht ein `default` und Sprachcodes: `{ default: order-paid, de: order-paid-de }`',
  ],
  [
    'the default "{}" must be a language tag such as de-DE',
    'der Standardwert „{}“ muss ein Sprachcode sein, zum Beispiel de-DE',
  ],
  [
    'must be a BCP 47 language tag such as de-DE, of a supported language',
    'muss ein Sprachcode nach BCP 47 sein, zum Beispiel de-DE, für eine unterstützte Sprache',
  ],
  [
    'is required: a source that verifies its senders has no default',
    'fehlt: Eine Quelle, die ihre Absender prüft, hat keinen Standardwert',
  ],
  [
    'begins with {}, which is reserved for `notify`: set it under another name, such as `npx wrangler secret put {}`, and use that name',
    'beginnt mit {}, und das ist für `notify` reserviert: Setze es unter einem anderen Namen, zum Beispiel mit `npx wrangler secret put {}`, und nenne diesen',
  ],
  [
    'must begin with {}, so that no notification can reveal a source’s secret: set it again, `npx wrangler secret put {}`, and use that name',
    'muss mit {} beginnen, damit keine Benachrichtigung das Secret einer Quelle verraten kann: Setze es neu, `npx wrangler secret put {}`, und nenne diesen Namen',
  ],
  [
    'contains the value of {}; only names of secrets are allowed. If others can read that file, replace the secret',
    'enthält den Wert von {=}; erlaubt sind nur Namen von Secrets. Wenn andere die Datei lesen können, ersetze das Secret',
  ],
  [
    'the facts on phone numbers and providers did not arrive in time',
    'die Daten zu Telefonnummern und Anbietern kamen nicht rechtzeitig',
  ],
  // A form's questions in the console.
  [
    'is not the address of a page, such as https://shop.example (`http` only for localhost)',
    'ist keine Adresse einer Seite wie https://shop.example',
  ],
  [
    'is not a list of fields, such as name*, email, message*: letters, digits, `-` and `_`',
    'ist keine Liste von Feldern wie name*, email, message*: Buchstaben, Ziffern, `-` und `_`',
  ],
  [
    'has `{}`, the field that only spam fills in: call it `homepage`',
    'hat `{}`, das Feld, das nur Spam ausfüllt: Nenne es `homepage`',
  ],
  ['must be 1 to {} fields', 'müssen 1 bis {} Felder sein'],
  ['is not a language such as de-DE', 'ist keine Sprache wie de-DE'],
  ['is not a time zone such as Europe/Berlin', 'ist keine Zeitzone wie Europe/Berlin'],
  // A source's verification.
  ['must have a `scheme`, one of {}', 'braucht ein `scheme`; erlaubt sind: {=}'],
  [
    'does not cover the body, so whoever sees a token can send any body with it: name its hash in `body_hash_claim`, or write `unsigned_body: true` if there is none',
    'deckt den Body nicht ab: Wer ein Token sieht, kann damit jeden Body senden. Nenne dessen Hash bei `body_hash_claim`, oder schreib `unsigned_body: true`, wenn es keinen gibt',
  ],
  ['needs a `prefix`', 'braucht ein `prefix`'],
  [
    'must be the e-mail address of the service account that posts',
    'muss die E-Mail-Adresse des Dienstkontos sein, das sendet',
  ],
  ['must be the name of a header', 'muss der Name eines Headers sein'],
  [
    'must say where the token is: `in: header`, `in: query`, `in: path` or `in: body`',
    'muss sagen, wo das Token steht: `in: header`, `in: query`, `in: path` oder `in: body`',
  ],
  [
    'must say where the signature is: exactly one of `header`, `query` and `field`',
    'muss sagen, wo die Signatur steht: genau eines von `header`, `query` und `field`',
  ],
  [
    'is required with `key_value_separator`: the keys that signatures have',
    'fehlt bei `key_value_separator`: die Schlüssel der Signaturen',
  ],
  [
    'is short for `answers: { accepted: 200 }`: give one of them',
    'ist kurz für `answers: { accepted: 200 }`: Gib eines von beiden an',
  ],
  [
    'must name at least one secret: a handshake is answered with an `hmac`, which is made with it',
    'muss mindestens ein Secret nennen: Ein Handshake wird mit einem `hmac` beantwortet, der damit entsteht',
  ],
  [
    'has the name of a provider that hookbell ships: sources of this configuration use this file in its place. Give it another name if you want both',
    'heißt wie ein Provider, den hookbell mitbringt: Quellen dieser Konfiguration verwenden diese Datei. Gib ihr einen anderen Namen, wenn du beide willst',
  ],
  [
    'has a text as its `body`, so it needs a `content_type` such as `text/plain`; JSON is written as YAML',
    'hat einen Text als `body` und braucht einen `content_type` wie `text/plain`; JSON schreibt man als YAML',
  ],
  ['an address with https://', 'eine Adresse mit https://'],
  ['must differ from `list_separator`', 'muss anders sein als `list_separator`'],
  [
    'must have `{secret}`: without it anybody could make the hash',
    'muss `{secret}` enthalten: Sonst kann jeder den Hash erzeugen',
  ],
  [
    'has `{secret}`, which only scheme `hash` signs',
    'enthält `{secret}`, das nur das Verfahren `hash` signiert',
  ],
  ['uses `{ts}`, which needs a `timestamp`', 'verwendet `{ts}`, und das braucht einen `timestamp`'],
  [
    'must have `keys` (and `list_separator`, if `key_value_separator` is not `=`) to read parameters from the signature',
    'braucht `keys` (und `list_separator`, wenn `key_value_separator` nicht `=` ist), um Parameter der Signatur zu lesen',
  ],
  ['is not used: `signed` has no `{url}`', 'wird nicht verwendet: In `signed` steht kein `{url}`'],
  ['proves nothing: `signed` has no `{url}`', 'beweist nichts: In `signed` steht kein `{url}`'],
  [
    'uses `{item:…}`, which needs `items`: the path of the list',
    'verwendet `{item:…}`, und das braucht `items`: den Pfad der Liste',
  ],
  [
    'is required with `items`: where an element has its signature',
    'fehlt bei `items`: wo ein Element seine Signatur hat',
  ],
  [
    'does not cover the elements of `items`: add `{item:…}`',
    'deckt die Elemente von `items` nicht ab: Ergänze `{item:…}`',
  ],
  [
    'must not have `{raw_body}`, `{form_sorted}` or `{body:…}` with `items`',
    'darf bei `items` weder `{raw_body}` noch `{form_sorted}` noch `{body:…}` enthalten',
  ],
  [
    'does not cover the body, so whoever sees a signature can send any body with it: add `{raw_body}`, or write `unsigned_body: true` if the sender signs none',
    'deckt den Body nicht ab: Wer eine Signatur sieht, kann damit jeden Body senden. Ergänze `{raw_body}`, oder schreib `unsigned_body: true`, wenn der Absender ihn nicht signiert',
  ],
  [
    'is not for senders that sign the whole body: leave it out',
    'ist nicht für Absender, die den ganzen Body signieren: Lass es weg',
  ],
  [
    'must have exactly one of `header`, `key` and `body`',
    'braucht genau eines von `header`, `key` und `body`',
  ],
  [
    'is not signed, so it proves nothing: put `{ts}` into `signed`, or leave `timestamp` out',
    'ist nicht signiert und beweist deshalb nichts: Nimm `{ts}` in `signed` auf, oder lass `timestamp` weg',
  ],
  [
    'must be the name of a header, or a list of at most 4 alternatives',
    'muss der Name eines Headers sein, oder eine Liste von höchstens 4 zur Auswahl',
  ],
  [
    'must be a path of names with dots between them, such as `signature.timestamp`',
    'muss ein Pfad aus Namen mit Punkten dazwischen sein, zum Beispiel `signature.timestamp`',
  ],
  ['must be an absolute URL', 'muss eine vollständige Adresse sein'],
  ['must map header name to value', 'muss ein Objekt sein: je Header ein Wert'],
  ['has a key that is not the name of a header', 'hat einen Schlüssel, der kein Name eines Headers ist'],
  [
    'has a `[` inside of `[…]`: optional segments cannot be nested',
    'hat ein `[` in `[…]`: Optionale Teile lassen sich nicht schachteln',
  ],
  [
    'has a `]` that closes nothing; write a literal one as `{]}`',
    'hat ein `]`, das nichts schließt; wenn es zum Text gehört, schreib `{]}`',
  ],
  [
    'has a `[` that is not closed; write a literal one as `{[}`',
    'hat ein `[`, das nicht geschlossen wird; wenn es zum Text gehört, schreib `{[}`',
  ],
  [
    'has two `{free …}`: only one value may contain its separator',
    'hat zwei `{free …}`: Nur ein Wert darf enthalten, was ihn von den anderen trennt',
  ],
  [
    'has `{{}}` in an optional segment, which may be left out',
    'hat `{{}}` in einem optionalen Teil, der fehlen darf',
  ],
  [
    'has an optional segment `[…]` without a value that could be absent',
    'hat einen optionalen Teil `[…]` ohne einen Wert, der fehlen könnte',
  ],
  [
    'has a brace that belongs to no token: each `{` needs its `}`',
    'hat eine geschweifte Klammer, die zu nichts gehört: Jedes `{` braucht sein `}`',
  ],
  ['has an unknown token `{{}}`; known: {}', 'hat einen unbekannten Platzhalter `{{}}`; bekannt sind: {=}'],
  [
    'has an unknown token `{{}}`; did you mean `{}`?',
    'hat einen unbekannten Platzhalter `{{}}`; meinst du `{=}`?',
  ],
];

/** After `a list of`. */
export const LISTS_DE: Readonly<Record<string, string>> = {
  countries: 'eine Liste von Ländern',
  days: 'eine Liste von Tagen',
  durations: 'eine Liste von Dauern',
  fields: 'eine Liste von Feldern',
  keys: 'eine Liste von Schlüsseln',
  names: 'eine Liste von Namen',
  'names of routes': 'eine Liste von Routen',
  'names of secrets': 'eine Liste von Secrets',
  numbers: 'eine Liste von Nummern',
  options: 'eine Liste von Antworten',
  origins: 'eine Liste von Adressen',
  overrides: 'eine Liste von Vertretungen',
  people: 'eine Liste von Personen',
  prefixes: 'eine Liste von Präfixen',
  receivers: 'eine Liste von Empfängern',
  'regular expressions': 'eine Liste von regulären Ausdrücken',
  routes: 'eine Liste von Routen',
  rules: 'eine Liste von Regeln',
  schemes: 'eine Liste von Verfahren',
  shifts: 'eine Liste von Schichten',
  statuses: 'eine Liste von Status',
  steps: 'eine Liste von Schritten',
  templates: 'eine Liste von Vorlagen',
  texts: 'eine Liste von Texten',
  throttles: 'eine Liste von Grenzen',
  values: 'eine Liste von Werten',
};
