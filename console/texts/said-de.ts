/**
 * The relay's English sentences, and the same in German. `{}` is what differs: itself one of these, a count, a place or a
 * name. Commands stand before a punctuation mark, which ends them.
 */
export const SAID_DE: readonly (readonly [english: string, german: string])[] = [
  // The doctor: titles.
  ['Secrets', 'Secrets'],
  ['Secret {}', 'Secret {}'],
  ['Name of a secret, {}', 'Name eines Secrets, {}'],
  ['Variable {}', 'Variable {}'],
  ['Configuration', 'Konfiguration'],
  ['Copy in KV', 'Kopie in KV'],
  ['Gateway address', 'Adresse des Gateways'],
  ['Gateway address ({})', 'Adresse des Gateways ({})'],
  ['Gateway', 'Gateway'],
  ['Gateway ({})', 'Gateway ({})'],
  ['Delivery', 'Zustellung'],
  ['Account {}', 'Konto {}'],
  ['Source {}', 'Quelle {}'],
  ['Sources', 'Quellen'],
  ['Refused requests', 'Abgelehnte Anfragen'],
  ['Clock', 'Uhr'],
  ['This machine’s clock', 'Uhr dieses Geräts'],
  ['Relay', 'Relay'],
  ['Token', 'Token'],
  ['Version', 'Version'],
  ['Newest version', 'Neueste Version'],
  ['Addresses', 'Adressen'],
  ['Folder', 'Ordner'],
  // The doctor: what only the command line checks.
  ['The relay answers at its address, over TLS', 'Das Relay antwortet unter seiner Adresse, mit TLS'],
  ['The command line’s token is accepted', 'Das Token der Kommandozeile wird akzeptiert'],
  ['The relay and the command line have the same version', 'Relay und Kommandozeile haben dieselbe Version'],
  ['There is no newer hookbell', 'Es gibt kein neueres hookbell'],
  [
    'A relay on this machine has read the file as it is now',
    'Ein Relay auf diesem Gerät hat die Datei gelesen, wie sie jetzt ist',
  ],
  ['Each source answers at its address', 'Jede Quelle antwortet unter ihrer Adresse'],
  [
    'The documents of a folder are valid, and are the active ones',
    'Die Dokumente eines Ordners sind gültig und aktiv',
  ],
  // The doctor: secrets and logins.
  ['{} needed, all are set', '{} benötigt, alle gesetzt'],
  ['is not set, and {} cannot work without it', 'ist nicht gesetzt: {} funktioniert nicht ohne'],
  ['{} and others', '{} und andere'],
  ['{}; until then it is not used', '{}; bis dahin wird es nicht verwendet'],
  [
    'Set it under the other name, write that name into the document, and npx hookbell push',
    'Setze es unter dem anderen Namen und trage diesen im Dokument ein. Dann: npx hookbell push',
  ],
  [
    'is shorter than {} characters, so it opens nothing',
    'ist kürzer als {} Zeichen und öffnet deshalb nichts',
  ],
  [
    'is shorter than {} characters: with a stolen session cookie, it could be guessed',
    'ist kürzer als {} Zeichen: Mit einem gestohlenen Sitzungs-Cookie ließe es sich erraten',
  ],
  [
    'is the same as {}, so both have the lesser role',
    'ist dasselbe wie {}, deshalb haben beide die geringere Rolle',
  ],
  [
    'Make a random one (openssl rand -base64 32) and set it: {}',
    'Erzeuge ein zufälliges (openssl rand -base64 32) und setze es: {}',
  ],
  ['lets nobody in: {}', 'lässt niemanden herein: {}'],
  ['is ignored: the only value is {}', 'wird ignoriert: Der einzige Wert ist {}'],
  [
    'Correct it in wrangler.toml under [vars], and deploy',
    'Korrigiere es in wrangler.toml unter [vars] und deploye neu',
  ],
  // The doctor: configuration.
  [
    'nothing has been published yet, so every webhook gets 404',
    'noch ist nichts veröffentlicht, deshalb bekommt jeder Webhook 404',
  ],
  [
    'Publish a folder of documents: npx hookbell init, then npx hookbell push',
    'Veröffentliche einen Ordner mit Dokumenten: npx hookbell init, dann npx hookbell push',
  ],
  [
    'version {} is not valid for the deployed code, so every webhook gets 503: {}',
    'Version {} ist für den deployten Code ungültig, deshalb bekommt jeder Webhook 503: {}',
  ],
  [
    'Fix the documents and npx hookbell push, or go back to the previous deploy: npx wrangler rollback',
    'Korrigiere die Dokumente: npx hookbell push. Oder geh zum vorigen Deployment zurück: npx wrangler rollback',
  ],
  ['version {} with {} is active', 'Version {} mit {} ist aktiv'],
  ['empty, as it should be', 'leer, wie es sein soll'],
  ['has version {}', 'hat Version {}'],
  [
    'is empty, but version {} is active: webhooks get 404',
    'ist leer, aber Version {} ist aktiv: Webhooks bekommen 404',
  ],
  [
    'has version {}, while version {} is active; this is normal for a minute after a publish',
    'hat Version {}, aktiv ist aber Version {}; in der ersten Minute nach einer Veröffentlichung ist das normal',
  ],
  [
    'Check that CONFIG is bound to the right namespace. {}',
    'Prüfe, ob CONFIG an den richtigen Namespace gebunden ist. {}',
  ],
  ['If it lasts: {}', 'Wenn es so bleibt: {}'],
  ['Write it again: {}', 'Schreibe sie neu: {}'],
  // The doctor: the gateway.
  ['{} is not set', '{} ist nicht gesetzt'],
  ['is not set', 'ist nicht gesetzt'],
  ['{}, as {} says', '{}, laut {}'],
  ['{}, of {}', '{}, von {}'],
  [
    '{} is not an http(s) address that ends in /api, without a query',
    '{} ist keine http(s)-Adresse, die auf /api endet, ohne Abfrage',
  ],
  [
    '{} is called over plain http, so the login and every message can be read in transit. Use https',
    '{} wird ohne TLS aufgerufen, deshalb können andere Zugangsdaten und Nachrichten mitlesen. Nimm https',
  ],
  [
    "Give {} the gateway's base address, which ends in /api (under [vars] in wrangler.toml), and deploy",
    'Trage bei {} die Adresse des Gateways ein, die auf /api endet (unter [vars] in wrangler.toml), und deploye neu',
  ],
  ['Use https in {}, and deploy', 'Nimm in {} https, und deploye neu'],
  [
    'Give accounts/{}.yaml a `base_url` with https, and push',
    'Trage in accounts/{}.yaml eine base_url mit https ein, und veröffentliche sie',
  ],
  ['{} accepted a message {} ago', '{} hat vor {} eine Nachricht angenommen'],
  [
    'only a message shows whether {} accepts the login',
    'nur eine Nachricht zeigt, ob {} die Zugangsdaten akzeptiert',
  ],
  ['Send one to yourself: {}', 'Sende dir eine: {}'],
  ['Send a message to your own phone: {}', 'Sende eine Nachricht an dein Telefon: {}'],
  ['cannot be reached: {}', 'ist nicht erreichbar: {}'],
  ['does not answer: {}', 'antwortet nicht: {}'],
  ['answers {}: there is no API at this address', 'antwortet {}: Unter dieser Adresse ist keine API'],
  ['answers, and accepted a message {} ago', 'antwortet, und hat vor {} eine Nachricht angenommen'],
  [
    'answers (“{}”), and accepted a message {} ago',
    'antwortet („{=}“), und hat vor {} eine Nachricht angenommen',
  ],
  [
    'answers {} (“{}”); only a message shows whether it accepts the login',
    'antwortet {} („{=}“); nur eine Nachricht zeigt, ob es die Zugangsdaten akzeptiert',
  ],
  [
    'answers {}; only a message shows whether it accepts the login',
    'antwortet {}; nur eine Nachricht zeigt, ob es die Zugangsdaten akzeptiert',
  ],
  [
    'Compare GATEWAY_BASE_URL with what the gateway gave you; it ends in /api',
    'Vergleiche GATEWAY_BASE_URL mit der Adresse, die du vom Gateway bekommen hast; sie endet auf /api',
  ],
  ['Check that the gateway is up. {}', 'Prüfe, ob das Gateway läuft. {}'],
  [
    'Nothing to do: messages are sent once it accepts calls again',
    'Nichts zu tun: Nachrichten werden gesendet, sobald es wieder Aufrufe annimmt',
  ],
  [
    '{}. If messages are still sent, the gateway’s firewall refuses this empty call',
    '{}. Wenn trotzdem Nachrichten gesendet werden, lehnt die Firewall des Gateways diesen leeren Aufruf ab',
  ],
  ['Set the login again ({}, {}), then {}', 'Setze die Zugangsdaten neu ({}, {}). Danach: {}'],
  [
    'not checked for {}: the number of calls in one request is limited',
    'nicht geprüft für {}: Die Zahl der Aufrufe je Anfrage ist begrenzt',
  ],
  ['agrees with the gateway’s', 'stimmt mit der des Gateways überein'],
  ['the gateway’s is {} ahead', 'die des Gateways geht vor: {}'],
  ['the gateway’s is {} behind', 'die des Gateways geht nach: {}'],
  [
    'On Cloudflare, the gateway’s is wrong. Elsewhere, set this machine’s',
    'Auf Cloudflare geht die des Gateways falsch. Sonst stelle die dieses Geräts',
  ],
  ['agrees with the relay’s', 'stimmt mit der des Relays überein'],
  ['differs from the relay’s by {} s', 'weicht um {} s von der des Relays ab'],
  ['Set this machine’s clock', 'Stelle die Uhr dieses Geräts'],
  ['{}. A test call just now: {}', '{}. Ein Testaufruf gerade eben: {}'],
  [
    'refuses the account, which has been paused since {}: {}; {}',
    'lehnt das Konto ab, das seit {} pausiert ist: {}; {}',
  ],
  [
    'failed {} in a row, the last at {}: {}; {}',
    'antwortete {} in Folge mit einem Fehler, zuletzt um {}: {}; {}',
  ],
  ['failed {} in a row; {}', 'antwortete {} in Folge mit einem Fehler; {}'],
  [
    '{}, and it is tried with the first that may go, not before {}',
    '{}; versucht wird es mit der ersten, die an der Reihe ist, nicht vor {}',
  ],
  [
    '{}, and it is tried with the first that may go',
    '{}; versucht wird es mit der ersten, die an der Reihe ist',
  ],
  [
    'Fix the gateway: hookbell tries one message at {}, and sends the rest once it gets an answer. To try at once: {}',
    'Bringe das Gateway in Ordnung: hookbell versucht es um {} mit einer Nachricht und sendet den Rest, sobald eine Antwort kommt. Sofort versuchen: {}',
  ],
  [
    'Fix the gateway: hookbell tries one message, and sends the rest once it gets an answer. To try at once: {}',
    'Bringe das Gateway in Ordnung: hookbell versucht es mit einer Nachricht und sendet den Rest, sobald eine Antwort kommt. Sofort versuchen: {}',
  ],
  // The doctor: accounts.
  ['{}, nothing waits', '{}, nichts wartet'],
  ['{}, {} on the way', '{}, {} unterwegs'],
  ['{} waiting', '{} in der Warteschlange'],
  ['has been paused for {} by {}, {}: {}', 'ist seit {} pausiert, von {}, {}: {}'],
  ['To let it send again: {}', 'Damit es wieder sendet: {}'],
  [
    '{} waiting for {} at the limit of {} an hour: the first at {} at the earliest, the last at {}',
    '{} für {} am Limit von {} pro Stunde: die erste frühestens um {}, die letzte um {}',
  ],
  [
    'If that is too slow, raise per_recipient.per_hour in {} and push; {} shows which wait',
    'Wenn das zu langsam ist, erhöhe per_recipient.per_hour in {} und veröffentliche es. Was wartet: {}',
  ],
  [
    'its outbox uses {} % of its size; webhooks are answered 503',
    'die Outbox ist zu {} % voll; Webhooks bekommen 503',
  ],
  [
    'its outbox uses {} % of its size; finished events are deleted early',
    'die Outbox ist zu {} % voll; erledigte Ereignisse werden vorzeitig gelöscht',
  ],
  [
    'Cancel unneeded messages: npx hookbell cancel --source … . Then shorten retention in {}, or limit the source that fills it',
    'Brich Nachrichten ab, die niemand braucht: npx hookbell cancel --source … . Verkürze dann retention in {}, oder begrenze die Quelle, die sie füllt',
  ],
  [
    'its escape channel failed {} in a row, the last at {}: {}',
    'der Notkanal ist {} nacheinander gescheitert, zuletzt um {}: {}',
  ],
  ['Check its address in the secret, and escape in {}', 'Prüfe die Adresse im Secret, und escape in {}'],
  [
    'if its device is offline tonight, high-priority messages wait, and nobody learns of it',
    'wenn das Gerät heute Nacht offline ist, warten dringende Nachrichten, und niemand erfährt davon',
  ],
  [
    'Add an escape channel to {}, a second way for them. See {}',
    'Richte in {} einen Notkanal ein, einen zweiten Weg. Siehe {}',
  ],
  ['{} given up', '{} aufgegeben'],
  [
    'See why: npx hookbell messages --state dead. Then npx hookbell retry --state dead, or cancel each by its id',
    'Warum: npx hookbell messages --state dead. Dann: npx hookbell retry --state dead. Oder brich sie einzeln ab',
  ],
  [
    '{} may have been sent, and a person has to decide',
    '{} vielleicht gesendet; das muss ein Mensch entscheiden',
  ],
  [
    'Check the phone, then retry or cancel each: {}',
    'Sieh auf dem Telefon nach, und sende jede erneut oder brich sie ab: {}',
  ],
  ['{}, the oldest for {}; at its pace, that takes {}', '{}, die älteste seit {}; Dauer in diesem Tempo: {}'],
  ['{}, the oldest for {}', '{}, die älteste seit {}'],
  [
    'See why: npx hookbell messages. If it is only the pace, raise rate.per_minute in {} as far as gateway and phone allow',
    'Warum: npx hookbell messages. Wenn es nur am Tempo liegt, erhöhe rate.per_minute in {}, so weit Gateway und Telefon es zulassen',
  ],
  // The doctor: sources and rejections.
  [
    'verifies nothing: anybody who knows its address can send messages through it',
    'prüft nichts: Jeder, der die Adresse kennt, kann darüber Nachrichten senden',
  ],
  [
    'Give it a `verify`, at least a token in its path: verify: { scheme: token, in: path }',
    'Gib ihr ein verify, mindestens ein Token im Pfad: verify: { scheme: token, in: path }',
  ],
  [
    'Check that the sender’s webhook is enabled and posts to {}',
    'Prüfe, ob der Webhook beim Absender eingeschaltet ist und an {} sendet',
  ],
  ['{}; its heartbeat is {}', '{}; erwartet alle {}'],
  ['has never sent anything', 'hat noch nie etwas gesendet'],
  ['has sent nothing for {}', 'hat seit {} nichts gesendet'],
  ['{} sending as expected', '{} senden wie erwartet'],
  ['none in the last 24 hours', 'keine in den letzten 24 Stunden'],
  ['source {}: {} ({}), the last {} ago: {}', 'Quelle {}: {} ({}), zuletzt vor {}: {}'],
  ['could not be checked: {}', 'ließ sich nicht prüfen: {}'],
  // Attempts and messages.
  ['the gateway sent it', 'das Gateway hat sie gesendet'],
  ['the gateway refused ({}): it gives no reason', 'das Gateway hat abgelehnt ({}), ohne Grund'],
  ['the gateway refused ({}): {}', 'das Gateway hat abgelehnt ({}): „{=}“'],
  ['`success` is false', '`success` ist false'],
  ['`data.status_code` is {}', '`data.status_code` ist {}'],
  ['the gateway answered {}, but {}', 'das Gateway hat {} geantwortet, aber {}'],
  ['the answer was cut off or is too long', 'die Antwort ist abgeschnitten oder zu lang'],
  ['the answer is empty', 'die Antwort ist leer'],
  ['the answer is not a JSON object', 'die Antwort ist kein JSON-Objekt'],
  ['`success` is neither true nor false', '`success` ist weder true noch false'],
  ['`data.status_code` is not a whole number', '`data.status_code` ist keine ganze Zahl'],
  ['the gateway answered {}: {}', 'das Gateway hat {} geantwortet: {}'],
  ['not followed; check the base URL', 'nicht gefolgt; prüfe die Basis-URL'],
  ['it rejects the credentials', 'es akzeptiert die Zugangsdaten nicht'],
  ['it forbids this call', 'es verbietet diesen Aufruf'],
  ['it asks to try again later', 'es bittet, es später zu versuchen'],
  ['it rejects this call', 'es lehnt diesen Aufruf ab'],
  ['Cloudflare could not connect to it', 'Cloudflare konnte es nicht erreichen'],
  ['Cloudflare got no answer from it', 'Cloudflare bekam keine Antwort'],
  ['it failed', 'es hatte einen Fehler'],
  ['not a valid answer', 'keine gültige Antwort'],
  ['the base URL is not an address', 'die Basis-URL ist keine Adresse'],
  ['the base URL is neither http nor https', 'die Basis-URL ist weder http noch https'],
  ['the platform has no free timer for this call', 'die Plattform hat keinen freien Timer für diesen Aufruf'],
  [
    'no answer in time; the gateway may have received the call',
    'keine rechtzeitige Antwort; vielleicht hat das Gateway den Aufruf bekommen',
  ],
  [
    'the connection was lost; the gateway may have received the call',
    'die Verbindung ist abgebrochen; vielleicht hat das Gateway den Aufruf bekommen',
  ],
  [
    'the gateway answered 403 to two messages in a row, and sent none in between',
    'das Gateway hat auf zwei Nachrichten nacheinander 403 geantwortet und dazwischen keine gesendet',
  ],
  ['{}; gave up after {} attempts', '{}; nach {} Versuchen aufgegeben'],
  ['{}; refused {} times', '{}; {}-mal abgelehnt'],
  [
    '{}; forbidden {} times while other messages were sent',
    '{}; {}-mal verboten, während andere Nachrichten gesendet wurden',
  ],
  ['{}; a permanent error, as it matches `{}`', '{}; ein dauerhafter Fehler, denn er passt auf `{}`'],
  ["older than the route's `expires`", 'älter als `expires` der Route'],
  [
    'what it says was not so any more when it could be sent',
    'was darin steht, galt nicht mehr, als sie gesendet werden konnte',
  ],
  ['nobody knows how its fallback ended', 'wie ihr Ersatz ausging, ist unbekannt'],
  ['{}; nobody knows how its fallback ended', '{}; wie ihr Ersatz ausging, ist unbekannt'],
  ['{}; its fallback was refused: {}', '{}; ihr Ersatz wurde abgelehnt: {}'],
  ['paused through the admin API', 'über die Admin-API pausiert'],
  ['no route matched', 'keine Route passte'],
  [
    'no route sends to it: the number stands only in the payload',
    'keine Route sendet an sie: die Nummer steht nur im Payload',
  ],
  // Rejections.
  ['of {} bytes', 'von {} Bytes'],
  [
    'honeypot: the field `{}`, which people do not see, was filled in',
    'honeypot: das Feld `{}`, das Menschen nicht sehen, war ausgefüllt',
  ],
  ['links: {} links, but `links` allows {}', 'links: {} Links, aber `links` erlaubt {}'],
  ['time: it has no moment at which its page was opened', 'time: es fehlt, wann die Seite geöffnet wurde'],
  [
    'time: the moment at which its page was opened is not from this source',
    'time: wann die Seite geöffnet wurde, stammt nicht von dieser Quelle',
  ],
  [
    'time: its page was opened more than a day earlier',
    'time: die Seite wurde mehr als einen Tag vorher geöffnet',
  ],
  [
    'time: it was sent {} s after its page was opened, but `min_seconds` is {}',
    'time: gesendet {} s nach dem Öffnen der Seite, aber `min_seconds` ist {}',
  ],
  [
    'address: its address has sent {} forms within an hour, as many as `per_address` allows',
    'address: die Adresse hat {} Formulare in einer Stunde gesendet, so viele wie `per_address` erlaubt',
  ],
  ['{} is missing', '{} fehlt'],
  ['{} is missing, or not a text or number', '{} fehlt oder ist weder Text noch Zahl'],
  ['{} is too long', '{} ist zu lang'],
  ['{} is longer than {} characters', '{} ist länger als {} Zeichen'],
  ['{} appears more than once', '{} kommt mehrmals vor'],
  ['{} is given more than once', '{} kommt mehrmals vor'],
  ['{} is not a text, number or boolean', '{} ist weder Text noch Zahl noch Wahrheitswert'],
  ['{} is not base64', '{} ist kein Base64'],
  ['{} does not start with `{}`', '{} beginnt nicht mit `{}`'],
  ['{} has no token after `{}`', '{} hat kein Token nach `{}`'],
  ['{} has no JSON Web Token', '{} hat kein JSON Web Token'],
  ['{} has no {} signature {}', '{} hat keine {}-Signatur {}'],
  ['{} has no signature under {}', '{} hat keine Signatur unter {}'],
  ['{} is {} accepted', '{} ist {}'],
  ['not the one', 'nicht das akzeptierte'],
  ['none of the {}', 'keines der {} akzeptierten'],
  ['the token in {}', 'das Token: {}'],
  ['the path has no token after the source', 'der Pfad hat kein Token nach der Quelle'],
  ['{} is {} s {}; {} s are allowed', '{} ist {} s {}; erlaubt sind {} s'],
  ['old', 'alt'],
  ['ahead of the clock here', 'voraus'],
  ['a time in seconds, in plain digits', 'eine Zeit in Sekunden, nur Ziffern'],
  ['a time in milliseconds, in plain digits', 'eine Zeit in Millisekunden, nur Ziffern'],
  [
    'a time in seconds or milliseconds, in plain digits',
    'eine Zeit in Sekunden oder Millisekunden, nur Ziffern',
  ],
  [
    'none of {} signature(s) in {} was made over this request with any of {} secret(s)',
    'keine Signatur ({}) aus {} passt zu dieser Anfrage, mit keinem Secret ({})',
  ],
  ['{}; tried {}', '{}; geprüft mit {}'],
  ['{}; not set: {}', '{}; nicht gesetzt: {}'],
  ['not set: {}', 'nicht gesetzt: {}'],
  ['the source names no secret yet', 'die Quelle nennt noch kein Secret'],
  [
    'none of the schemes {} accepted it; the closest was {}',
    'keines der Verfahren {} hat es akzeptiert; am nächsten kam {}',
  ],
  ['header Authorization is not `Basic` and base64', 'Header Authorization ist nicht `Basic` und Base64'],
  ['the token is not a JSON Web Token', 'das Token ist kein JSON Web Token'],
  ['the token has expired (`exp`)', 'das Token ist abgelaufen (`exp`)'],
  ['the token has no `{}`', 'das Token hat kein `{}`'],
  [
    "the token's `{}` is not the one that this source expects",
    '`{}` des Tokens ist nicht, was diese Quelle erwartet',
  ],
  ["the token's `alg` is not {}", '`alg` des Tokens ist nicht {}'],
  ['the token was not made with any of {} secret(s)', 'das Token wurde mit keinem der Secrets erstellt ({})'],
  [
    "the signature's certificate has expired or is not valid yet",
    'das Zertifikat der Signatur ist abgelaufen oder noch nicht gültig',
  ],
  [
    'the certificate of the signature could not be fetched: {}',
    'das Zertifikat der Signatur ließ sich nicht laden: {}',
  ],
  ['the body is not UTF-8', 'der Body ist kein UTF-8'],
  [
    'secret {} of {} must have the form "user:password"',
    'Secret {} von {} muss die Form „Name:Passwort“ haben',
  ],
  [
    'a key that is not a secret of the source was handed over without an open pairing window. If you are setting the webhook up: `{}` opens one; then create the webhook again',
    'ein Schlüssel, der kein Secret der Quelle ist, wurde übergeben, während kein Fenster offen war. Wenn du den Webhook gerade einrichtest, öffnet `{}` eines; lege den Webhook dann noch einmal an',
  ],
];

/** Nouns of counts: one, several. */
export const COUNTED_DE: Readonly<Record<string, readonly [one: string, several: string]>> = {
  secret: ['Secret', 'Secrets'],
  source: ['Quelle', 'Quellen'],
  account: ['Konto', 'Konten'],
  'further account': ['weiteres Konto', 'weitere Konten'],
  message: ['Nachricht', 'Nachrichten'],
  receiver: ['Empfänger', 'Empfänger'],
  time: ['Mal', 'Mal'],
  day: ['Tag', 'Tagen'],
  hour: ['Stunde', 'Stunden'],
  minute: ['Minute', 'Minuten'],
  second: ['Sekunde', 'Sekunden'],
};

/** Places of a request, before their names. */
export const PLACES_DE: Readonly<Record<string, string>> = {
  header: 'Header',
  'query parameter': 'Abfrageparameter',
  'signature parameter': 'Signaturparameter',
  'body field': 'Feld im Body',
};
