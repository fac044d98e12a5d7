import type { SaidPairs } from '../../lib/said.ts';
import { DOCTOR_DE } from './doctor.ts';
import { DOCUMENTS_DE, LISTS_DE } from './documents.ts';
import { REQUESTS_DE } from './requests.ts';
import { TEMPLATES_DE } from './templates.ts';

/** The sentences that are read while somebody works on the configuration, or when something is refused. */
export const MORE_DE: SaidPairs = [
  ...DOCTOR_DE,
  ...DOCUMENTS_DE,
  ...Object.entries(LISTS_DE).map(([english, german]) => [`a list of ${english}`, german] as const),
  ...TEMPLATES_DE,
  ...REQUESTS_DE,
];

/** Nouns of counts without their `s`: one, several. */
export const MORE_COUNTED_DE: Readonly<Record<string, readonly [one: string, several: string]>> = {
  action: ['Aktion', 'Aktionen'],
  argument: ['Argument', 'Argumente'],
  change: ['Änderung', 'Änderungen'],
  countrie: ['Land', 'Länder'],
  duration: ['Dauer', 'Dauern'],
  element: ['Element', 'Elemente'],
  field: ['Feld', 'Felder'],
  item: ['Eintrag', 'Einträge'],
  key: ['Schlüssel', 'Schlüssel'],
  'more element': ['weiteres Element', 'weitere Elemente'],
  name: ['Name', 'Namen'],
  'names of route': ['Name einer Route', 'Namen von Routen'],
  'names of secret': ['Name eines Secrets', 'Namen von Secrets'],
  number: ['Nummer', 'Nummern'],
  option: ['Antwort', 'Antworten'],
  origin: ['Adresse', 'Adressen'],
  override: ['Vertretung', 'Vertretungen'],
  people: ['Person', 'Personen'],
  prefixe: ['Präfix', 'Präfixe'],
  'regular expression': ['regulärer Ausdruck', 'reguläre Ausdrücke'],
  route: ['Route', 'Routen'],
  rule: ['Regel', 'Regeln'],
  scheme: ['Verfahren', 'Verfahren'],
  shift: ['Schicht', 'Schichten'],
  statuse: ['Status', 'Status'],
  step: ['Schritt', 'Schritte'],
  template: ['Vorlage', 'Vorlagen'],
  text: ['Text', 'Texte'],
  throttle: ['Grenze', 'Grenzen'],
  value: ['Wert', 'Werte'],
};
