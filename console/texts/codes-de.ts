import type { Codes } from './codes.ts';

const BASE_URL =
  'Vergleiche GATEWAY_BASE_URL, oder die eigene Variable des Kontos, mit der Adresse, die du vom Gateway bekommen hast; sie endet auf /api.';
const IN_DOCUMENT = 'Trage in accounts/{of}.yaml eine base_url mit https ein, und veröffentliche sie.';
const ADDRESS = [
  'Gib {name} die Adresse des Gateways, die auf /api endet, unter [vars] in wrangler.toml, und deploye neu.',
  IN_DOCUMENT,
];
const LOGIN = 'Setze die Zugangsdaten neu, und lass das Konto dann weiter senden:';
const TOKEN = 'Erzeuge ein zufälliges (openssl rand -base64 32), und setze es:';
const VARIABLE = 'Korrigiere es unter [vars] in wrangler.toml, und deploye neu.';
const ESCAPE = 'Richte in accounts/{of}.yaml einen Notkanal ein, einen zweiten Weg zu senden:';
const SELDOM =
  'Prüfe, ob ihr Absender an /hooks/{of} sendet. Sendet er selten, sag, wie selten: `heartbeat: 30d`';
const OUTBOX =
  'Brich Nachrichten ab, die niemand braucht. Verkürze dann retention in accounts/{of}.yaml, oder begrenze die Quelle, die sie füllt:';

/** Was die Codes des Relays bedeuten. Wo der Code zu wenig sagt, folgt der englische Satz. */
export const CODES_DE: Codes = {
  faults: {
    required: 'fehlt: {english}',
    'wrong-type': 'hat den falschen Typ: {english}',
    malformed: 'hat nicht die richtige Form: {english}',
    'not-one-of': ['muss eines davon sein: {allowed}', 'ist hier nicht erlaubt: {english}'],
    'unknown-key': 'ist hier unbekannt: {english}',
    'unknown-name': [
      '`{name}` gibt es nicht; meintest du `{near}`?',
      '`{name}` gibt es nicht: {english}',
      'gibt es nicht: {english}',
    ],
    'out-of-range': [
      'muss zwischen {min} und {max} liegen',
      'muss mindestens {min} sein',
      'darf höchstens {max} sein',
      'liegt außerhalb der Grenzen: {english}',
    ],
    'too-long': ['ist zu lang, erlaubt sind höchstens {max}', 'ist zu lang: {english}'],
    'too-short': ['ist zu kurz, nötig sind mindestens {min}', 'ist zu kurz: {english}'],
    conflict: 'passt nicht zum Rest: {english}',
    misplaced: 'gehört nicht hierher: {english}',
    'no-effect': 'hat hier keine Wirkung: {english}',
    duplicate: ['{left} waren schon da, in {events}', 'ist doppelt: {english}'],
    reserved: 'ist für hookbell reserviert: {english}',
    template: 'Fehler in der Vorlage oder Bedingung: {english}',
    number: 'ist vielleicht keine gültige Nummer: {english}',
    receiver: 'Problem mit dem Empfänger: {english}',
    secret: 'Problem mit einem Secret: {english}',
    'not-set': [
      '{name} ist nicht gesetzt; setze es mit `npx wrangler secret put {name}`',
      'ist nicht gesetzt: {english}',
    ],
    unsafe: 'könnte von Fremden missbraucht werden: {english}',
    unsupported: 'wird nicht unterstützt: {english}',
    unreachable: 'ist von außen vielleicht nicht erreichbar: {english}',
    absent: 'fehlt im Ereignis: {english}',
    constant: 'ist bei allen Ereignissen gleich: {english}',
    'many-receivers': 'geht an viele: {english}',
    'opted-out': 'ist abgemeldet: {english}',
    'time-zone': 'hat keine Zeitzone: {english}',
    hides: 'ersetzt ein Dokument, das hookbell unter diesem Namen mitbringt',
    'override-ends': [
      'beendet die Vertretung von Hand durch `{person}` bis {until}',
      'beendet eine Vertretung von Hand: {english}',
    ],
    'still-sends': [
      'wird entfernt, hat aber noch {waiting|Nachricht|Nachrichten} zu senden',
      'wird entfernt, hat aber noch Nachrichten zu senden: {english}',
    ],
    'not-copied': 'gilt, aber die Kopie für Webhooks ist noch alt; das kann zehn Minuten dauern',
    sample: 'ein Beispiel passt nicht zu den Angaben der Datei: {english}',
    'left-out': [
      '{left|Nachricht|Nachrichten} weggelassen: Eine Nummer aus einem Formular bekommt höchstens {max} am Tag',
      'ein Teil wurde weggelassen: {english}',
    ],
    'only-counted': [
      '{left|Element|Elemente} nur gezählt: Mehr offene Vorfälle nimmt ein Konto nicht auf',
      'ein Teil wird nur gezählt: {english}',
    ],
    'nothing-made': [
      'passt, hat hier aber kein Element oder keinen Empfänger: {matched}',
      'hat nichts ergeben: {english}',
    ],
    'other-language': [
      'nennt keine bekannte Sprache, deshalb gilt {locale}',
      'unbekannte Sprache: {english}',
    ],
    more: ['und {left} weitere', 'und weitere: {english}'],
  },
  reasons: {
    refused: 'vom Gateway abgelehnt (`{field}` ist {value})',
    unauthorized: 'Das Gateway lehnt die Zugangsdaten ab ({status}), deshalb pausiert das Konto',
    'login-missing': ['nicht gesetzt: {names}', 'unbrauchbar: {error}'],
    forbidden: 'Das Gateway verbietet den Aufruf ({status})',
    redirected: 'Das Gateway leitet um ({status}); prüfe seine Adresse',
    busy: 'Das Gateway bittet, es später zu versuchen ({status})',
    rejected: 'vom Gateway zurückgewiesen ({status})',
    'not-sendable': 'passt nicht zum Gateway: {error}',
    'server-error': 'Fehler im Gateway ({status})',
    unreachable: 'Das Gateway ist nicht erreichbar',
    'no-answer': 'vielleicht gesendet, denn die Verbindung brach ab',
    'unclear-answer': 'vielleicht gesendet, denn die Antwort ({status}) ist ungültig',
    interrupted: 'vielleicht gesendet, denn das Relay stoppte vor der Antwort',
    paused: 'pausiert von {by}',
    'account-forbidden':
      'Das Gateway hat verschiedenen Nachrichten mit 403 geantwortet, auch der dringendsten, und dazwischen keine gesendet',
    expired: 'älter als `expires` der Route',
    'no-first-contact':
      'an dem Tag war kein erster Kontakt mehr frei: Quellen, die ihren Absender nicht nachweisen, haben {open} von {per_day}',
    'opted-out': 'Der Empfänger hat sich abgemeldet',
    cancelled: 'abgebrochen von {by}',
    summarized: 'in der Zusammenfassung {message}',
    outdated: 'überholt oder zurückgehalten, bevor sie gesendet werden konnte',
    'handed-on': 'nach {after} nicht gesendet, deshalb sendet Konto {account} den Ersatz',
    'fallback-refused': 'Das andere Konto hat den Ersatz nicht angenommen: {error}',
    'fallback-unknown': 'niemand weiß, ob der Ersatz gesendet wurde',
    'other-text': 'mit anderem Text als dem der Vorlage: {error}',
    'no-links': 'ohne ihre Links, denn PUBLIC_URL ist nicht gesetzt',
  },
  causes: {
    'bad-address': 'Die Adresse des Gateways ist ungültig',
    'not-http': 'Die Adresse des Gateways beginnt weder mit http noch mit https',
    'no-timer': 'Der Plattform fehlte ein Timer für diesen Aufruf',
    'not-connected': 'Cloudflare erreicht das Gateway nicht ({status})',
    'no-response': 'vielleicht gesendet, denn Cloudflare bekam keine Antwort vom Gateway ({status})',
    'timed-out': 'vielleicht gesendet, denn das Gateway hat nicht rechtzeitig geantwortet',
    'cut-off': 'vielleicht gesendet, denn die Antwort ({status}) brach ab oder ist zu lang',
    empty: 'vielleicht gesendet, denn die Antwort ({status}) ist leer',
    'not-json': 'vielleicht gesendet, denn die Antwort ({status}) ist kein JSON-Objekt',
    undecided: 'vielleicht gesendet, denn `{field}` in der Antwort ({status}) zeigt es nicht',
    'no-instance': 'Das Gateway hat keine Instanz mit diesem Namen ({status})',
    'not-linked':
      'Das Gateway ist nicht mit seinem Telefon verbunden ({status}): Scanne den QR-Code, oder starte es neu',
    'no-bot': 'Das Gateway kennt keinen Bot mit diesem Token ({status})',
    'no-chat': 'Der Bot darf nicht in diesen Chat schreiben ({status})',
    'no-whatsapp': 'Diese Nummer ist nicht bei WhatsApp ({status})',
    'no-signal': 'Diese Nummer ist nicht bei Signal ({status})',
    'said-stop': 'Der Empfänger hat STOP geantwortet ({status})',
    'day-over':
      'mehr als 24 Stunden, seit der Empfänger geschrieben hat: Jetzt sind nur genehmigte Vorlagen erlaubt ({status})',
    'as-declared': 'Das Gateway antwortet {status}: {says}',
  },
  endings: ['nach {attempts|Versuch|Versuchen} aufgegeben', 'endgültig wegen `{permanent}`'],
  problems: {
    'malformed-body': 'Diese Anfrage ist nicht lesbar: {english}',
    'body-cut-off': 'Die Anfrage kam unvollständig an. Versuche es noch einmal.',
    'body-too-large': 'Das ist zu groß: {english}',
    unauthorized: 'Die Anmeldung fehlt, ist falsch oder abgelaufen. Melde dich neu an.',
    'role-required': 'Dafür reicht deine Rolle nicht: {english}',
    'admin-closed': 'Die Admin-API ist geschlossen: {english}',
    'cross-site': 'Diese Anfrage kam nicht von dieser Seite. Lade sie neu.',
    'not-found': 'Das gibt es nicht: {english}',
    'in-use': 'Das wird noch verwendet: {english}',
    managed: 'Die Konfiguration wird in Git verwaltet, nichts wurde geändert: {english}',
    conflict: 'Das geht gerade nicht: {english}',
    'precondition-failed':
      'Inzwischen ist eine andere Version aktiv, nichts wurde geändert. Lade neu, und veröffentliche noch einmal, wenn du deine Änderung noch willst. {english}',
    'too-large': 'Alle Dokumente zusammen sind zu groß: {english}',
    invalid: 'Die Angaben sind ungültig.',
    'invalid-configuration': 'Die Konfiguration wäre ungültig, nichts wurde geändert.',
    'too-many-failures': 'Zu viele falsche Anmeldungen. Warte etwas, und versuche es noch einmal: {english}',
    'not-accepted': 'Das ließ sich nicht speichern. Versuche es noch einmal.',
    'storage-full': 'Der Speicher ist voll. Versuche es später noch einmal.',
    'access-unavailable':
      'Die Schlüssel von Cloudflare Access ließen sich nicht laden. Versuche es noch einmal.',
    unavailable: 'Das ließ sich nicht verarbeiten: {english}',
  },
  titles: {
    account: 'Konto {of}',
    accounts: 'Zustellung',
    clock: 'Uhr',
    config: 'Konfiguration',
    'config-copy': 'Kopie in KV',
    'gateway-url': ['Adresse des Gateways ({other})', 'Adresse des Gateways'],
    'on-call': ['Bereitschaft: {list}', 'Bereitschaft'],
    'own-clock': 'Uhr dieses Geräts',
    rejections: 'Abgelehnte Anfragen',
    source: 'Quelle {of}',
    sources: 'Quellen',
  },
  outside: {
    relay: ['Relay', 'Das Relay antwortet unter seiner Adresse, mit TLS'],
    token: ['Token', 'Das Token der Kommandozeile wird akzeptiert'],
    version: ['Version', 'Relay und Kommandozeile haben dieselbe Version'],
    newest: ['Neueste Version', 'Es gibt kein neueres hookbell'],
    'dev-vars': ['.dev.vars', 'Ein Relay auf diesem Gerät kennt den aktuellen Stand der Datei'],
    hooks: ['Adressen', 'Jede Quelle antwortet unter ihrer Adresse'],
    folder: ['Ordner', 'Die Dokumente eines Ordners sind gültig und aktiv'],
  },
  findings: {
    delivering: { detail: 'Nachrichten werden gesendet: {english}' },
    paused: {
      detail: 'ist seit {since} pausiert, von {by}; {waiting|Nachricht wartet|Nachrichten warten}',
      remedy: 'Damit es wieder sendet:',
    },
    'receivers-at-limit': {
      detail:
        '{messages|Nachricht|Nachrichten} für {receivers|Empfänger|Empfänger} am Limit von {per_hour} pro Stunde: die erste frühestens um {next_at}, die letzte um {last_at}',
      remedy:
        'Wenn das zu langsam ist, erhöhe per_recipient.per_hour in accounts/{of}.yaml, und veröffentliche es. Was wartet:',
    },
    'escape-failed': {
      detail: 'der Notkanal ist {failures}-mal nacheinander gescheitert, zuletzt: {error}',
      remedy: 'Prüfe die Adresse im Secret, und `escape` in accounts/{of}.yaml.',
    },
    'outbox-full': { detail: 'die Outbox ist zu {percent} % voll; Webhooks bekommen 503', remedy: OUTBOX },
    'outbox-filling': {
      detail: 'die Outbox ist zu {percent} % voll; erledigte Ereignisse werden vorzeitig gelöscht',
      remedy: OUTBOX,
    },
    'given-up': {
      detail: '{messages|Nachricht|Nachrichten} aufgegeben',
      remedy: 'Sieh nach, warum. Dann sende sie noch einmal, oder brich jede einzeln ab:',
    },
    uncertain: {
      detail: '{messages|Nachricht|Nachrichten} vielleicht gesendet; das muss ein Mensch entscheiden',
      remedy: 'Sieh auf dem Telefon nach, und sende jede noch einmal, oder brich sie ab:',
    },
    'long-queue': {
      detail: '{waiting|Nachricht wartet|Nachrichten warten}, die älteste seit {oldest_seconds}',
      remedy:
        'Sieh nach, warum. Wenn es nur am Tempo liegt, erhöhe rate.per_minute in accounts/{of}.yaml, so weit Gateway und Telefon es zulassen:',
    },
    'nothing-published': {
      detail: 'noch ist nichts veröffentlicht, deshalb bekommt jeder Webhook 404',
      remedy: 'Veröffentliche einen Ordner mit Dokumenten:',
    },
    'version-invalid': {
      detail:
        'Version {version} ist für den deployten Code ungültig, deshalb bekommt jeder Webhook 503: {error}',
      remedy: 'Korrigiere die Dokumente und veröffentliche sie, oder nimm das vorige Deployment:',
    },
    'version-active': { detail: 'Version {version} mit {sources|Quelle|Quellen} ist aktiv' },
    moved: { detail: 'die Daten liegen in einer anderen Jurisdiktion: {english}' },
    'copy-right': { detail: 'hat die aktive Version' },
    'copy-empty': {
      detail: 'ist leer, aber Version {version} ist aktiv: Webhooks bekommen 404',
      remedy: 'Prüfe, ob CONFIG an den richtigen Namespace gebunden ist. Schreibe sie neu:',
    },
    'copy-behind': {
      detail:
        'hat Version {copied}, aktiv ist aber Version {version}; in der ersten Minute nach einer Veröffentlichung ist das normal',
      remedy: 'Wenn es so bleibt, schreibe sie neu:',
    },
    'address-missing': { detail: ['{name} ist nicht gesetzt', 'ist nicht gesetzt'], remedy: ADDRESS },
    'address-malformed': {
      detail: '{name} ist keine http(s)-Adresse ohne Query, die auf /api endet',
      remedy: ADDRESS,
    },
    'address-plain': {
      detail: '{host} wird ohne TLS aufgerufen, deshalb lassen sich Zugangsdaten und Nachrichten mitlesen',
      remedy: 'Nimm eine Adresse mit https: {english}',
    },
    'address-right': { detail: 'ist {host}' },
    'address-unlisted': { detail: 'GATEWAY_HOSTS nennt das Gateway nicht: {english}', remedy: IN_DOCUMENT },
    'gateway-accepts': {
      detail: ['{gateway} nimmt Nachrichten an', 'antwortet, und hat eine Nachricht angenommen'],
    },
    'gateway-untested': {
      detail: 'nur eine Nachricht zeigt, ob {gateway} sie annimmt',
      remedy: 'Sende dir eine:',
    },
    'login-refused': { detail: 'lehnt die Zugangsdaten ab ({status})', remedy: LOGIN },
    'gateway-forbids': {
      detail: 'verbietet den Aufruf ({status})',
      remedy:
        'Wenn trotzdem Nachrichten gesendet werden, lehnt die Firewall des Gateways nur diesen leeren Aufruf ab. Sonst setze die Zugangsdaten neu, und lass das Konto dann weiter senden:',
    },
    'gateway-redirects': { detail: 'leitet um ({status})', remedy: BASE_URL },
    'gateway-unreachable': { detail: 'ist nicht erreichbar: {english}', remedy: BASE_URL },
    'gateway-busy': {
      detail: 'bittet, es später zu versuchen ({status})',
      remedy: 'Nichts zu tun: Nachrichten werden gesendet, sobald es wieder Aufrufe annimmt.',
    },
    'gateway-silent': {
      detail: ['antwortet nicht ({status})', 'antwortet nicht'],
      remedy: `Prüfe, ob das Gateway läuft. ${BASE_URL}`,
    },
    'no-api': { detail: 'unter dieser Adresse ist keine API: {english}', remedy: BASE_URL },
    'login-untested': {
      detail: 'nur eine Nachricht zeigt, ob es die Zugangsdaten akzeptiert: {english}',
      remedy: 'Sende eine Nachricht an dein Telefon:',
    },
    'clock-right': { detail: 'stimmt' },
    'clock-wrong': {
      detail: 'weicht ab: {english}',
      remedy: 'Stelle die Uhr, die falsch geht. Ein Relay bei Cloudflare geht richtig.',
    },
    'override-ended': {
      detail:
        'die Vertretung von Hand durch {person} bis {until} endete, weil eine Veröffentlichung die Person aus der Liste {list} entfernt hat',
      remedy: 'Wer Bereitschaft hat, und wie jemand anderes sie bekommt:',
    },
    'account-refused': { detail: 'lehnt das Konto ab, das deshalb pausiert: {english}', remedy: LOGIN },
    'gateway-failed': {
      detail: 'hatte zuletzt Fehler, und nichts wartet mehr: {english}',
      remedy: 'Mehr dazu: {english}',
    },
    'gateway-failing': {
      detail: 'antwortet mit Fehlern: {english}',
      remedy: 'Bringe das Gateway in Ordnung; hookbell versucht es auch von selbst wieder. {english}',
    },
    'none-refused': { detail: 'keine in den letzten 24 Stunden' },
    refused: { detail: 'Quelle {source}, {times} ×: {reason}' },
    'secrets-set': { detail: '{secrets|Secret|Secrets} benötigt, alle gesetzt' },
    'secret-missing': {
      detail: 'ist nicht gesetzt; ohne dieses Secret geht nicht: {used_by}',
      remedy: 'Setze es:',
    },
    'token-ignored': { detail: 'ist zu kurz, und wird deshalb ignoriert: {english}', remedy: TOKEN },
    'token-short': { detail: 'ist kurz genug zum Erraten: {english}', remedy: TOKEN },
    'token-shared': { detail: 'ist dasselbe wie ein anderes Token: {english}', remedy: TOKEN },
    'access-unreadable': { detail: 'lässt niemanden herein: {english}', remedy: VARIABLE },
    'variable-ignored': { detail: 'wird ignoriert: {english}', remedy: VARIABLE },
    'sources-sending': { detail: '{sources|Quelle|Quellen}: alles wie erwartet' },
    'source-open': {
      detail: 'prüft nichts: Jeder, der die Adresse kennt, kann darüber Nachrichten senden',
      remedy: 'Gib ihr ein `verify`, mindestens ein Token im Pfad: `verify: { scheme: token, in: path }`',
    },
    'form-open': {
      detail: 'ist ein Formular, das jede Seite senden kann',
      remedy: 'Nenne die Seiten, die es dürfen: `origins: [https://shop.example]`',
    },
    'form-limited': { detail: 'ist ein Formular, das nur {origins} senden darf' },
    'heartbeat-late': {
      detail: [
        'hat seit {last} nichts gesendet; erwartet alle {expected}',
        'hat noch nie etwas gesendet; erwartet alle {expected}',
      ],
      remedy: 'Prüfe, ob ihr Absender an /hooks/{of} sendet.',
    },
    'never-sent': { detail: 'hat noch nie etwas gesendet', remedy: SELDOM },
    'source-silent': { detail: 'hat seit {last} nichts gesendet', remedy: SELDOM },
    'not-urgent': { detail: 'sendet nichts Dringendes: Seine Nachrichten dürfen warten' },
    'device-unwatched': {
      detail: 'wenn das Gerät heute Nacht offline ist, warten dringende Nachrichten: {english}',
      remedy: ESCAPE,
    },
    'gateway-unwatched': {
      detail: 'wenn das Gateway heute Nacht ausfällt, warten dringende Nachrichten: {english}',
      remedy: ESCAPE,
    },
    'not-probed': {
      detail:
        'nicht geprüft für {accounts|weiteres Konto|weitere Konten}: Die Zahl der Aufrufe je Anfrage ist begrenzt',
    },
    'not-checked': { detail: 'ließ sich nicht prüfen: {english}' },
  },
};
