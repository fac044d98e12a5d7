import type { SaidPairs } from '../../lib/said.ts';

/** Sentences of the doctor. */
export const DOCTOR_DE: SaidPairs = [
  // The doctor: what only the command line checks.
  ['The relay answers at its address, over TLS', 'Das Relay antwortet unter seiner Adresse, mit TLS'],
  ['The command line’s token is accepted', 'Das Token der Kommandozeile wird akzeptiert'],
  ['The relay and the command line have the same version', 'Relay und Kommandozeile haben dieselbe Version'],
  ['There is no newer hookbell', 'Es gibt kein neueres hookbell'],
  [
    'A relay on this machine has read the file as it is now',
    'Ein Relay auf diesem Gerät kennt den aktuellen Stand der Datei',
  ],
  ['Each source answers at its address', 'Jede Quelle antwortet unter ihrer Adresse'],
  [
    'The documents of a folder are valid, and are the active ones',
    'Die Dokumente eines Ordners sind gültig und aktiv',
  ],
  // The doctor: a device that is offline tonight.
  ['if its device is offline tonight, {}', 'wenn das Gerät heute Nacht offline ist, {}'],
  ['if its gateway is down tonight, {}', 'wenn das Gateway heute Nacht ausfällt, {}'],
  [
    'high-priority messages wait, and nobody learns of it',
    'warten dringende Nachrichten, und niemand erfährt davon',
  ],
  [
    'high-priority messages wait, and `notify` learns of it only if the gateway fails',
    'warten dringende Nachrichten, und notify erfährt davon nur, wenn das Gateway Fehler meldet',
  ],
  [
    'high-priority messages wait, and `notify` learns of it when nobody answers the canary',
    'warten dringende Nachrichten, und notify erfährt davon, wenn niemand den Testlink drückt',
  ],
  [
    'sends nothing urgent: its messages may wait',
    'sendet nichts Dringendes: Seine Nachrichten dürfen warten',
  ],
  ['On call: {}', 'Bereitschaft: {}'],
  [
    'the override by hand of {} until {} ended at {}, when a publish removed them from the list',
    'die Vertretung von Hand durch {} bis {} endete {}, weil die Person aus der Liste entfernt wurde',
  ],
  [
    'See who is on call: npx hookbell on-call. To have somebody else: npx hookbell on-call swap',
    'Wer Bereitschaft hat: npx hookbell on-call. Jemand anderes: npx hookbell on-call swap',
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
  ['is shorter than {} characters, so it is ignored', 'ist kürzer als {} Zeichen und wird deshalb ignoriert'],
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
  ['is ignored: it can only be {}', 'wird ignoriert: Möglich ist nur {}'],
  [
    'Correct it in wrangler.toml under [vars], and deploy',
    'Korrigiere es in wrangler.toml unter [vars] und deploye neu',
  ],
];
