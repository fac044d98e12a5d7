import type { Fault, FaultCode } from './fields.ts';

/** The texts for a visitor of a form. */
export interface FormTexts {
  readonly language: string;
  readonly thanks: string;
  readonly arrived: string;
  readonly back: string;
  readonly notSent: string;
  readonly correct: string;
  readonly keep: string;
  /** Names of fields, where the source gives none. */
  readonly labels: ReadonlyMap<string, string>;
  readonly faults: Readonly<Record<FaultCode, (max: number) => string>>;
  /** Why it was not sent, by the status of the answer. */
  readonly whyNot: Readonly<Partial<Record<number, string>>>;
  readonly whyNotElse: string;
}

const ENGLISH: FormTexts = {
  language: 'en',
  thanks: 'Thank you',
  arrived: 'Your message has arrived.',
  back: 'Back to the page',
  notSent: 'Not sent yet',
  correct: 'Please correct this:',
  keep: 'Go back in your browser: what you wrote is still there.',
  labels: new Map([
    ['name', 'Name'],
    ['first_name', 'First name'],
    ['last_name', 'Last name'],
    ['email', 'E-mail address'],
    ['phone', 'Phone number'],
    ['message', 'Message'],
    ['date', 'Date'],
    ['time', 'Time'],
  ]),
  faults: {
    required: () => 'is needed.',
    too_long: (max) => `is too long: at most ${max} characters.`,
    email: () => 'is not an e-mail address, such as ada@example.com.',
    phone: () => 'is not a phone number, such as +44 20 7946 0958.',
    text: () => 'must be text.',
  },
  whyNot: {
    403: 'This form cannot be sent from that page.',
    405: 'Nothing is to be seen here: this is where a form is sent to.',
    413: 'It is too large. Please shorten it, or leave the files out.',
    429: 'Too much comes in at the moment. Please try again in a minute.',
  },
  whyNotElse: 'Something is wrong on our side. Please try again in a minute.',
};

const GERMAN: FormTexts = {
  language: 'de',
  thanks: 'Vielen Dank',
  arrived: 'Ihre Nachricht ist angekommen.',
  back: 'Zurück zur Seite',
  notSent: 'Noch nicht gesendet',
  correct: 'Bitte berichtigen Sie:',
  keep: 'Gehen Sie im Browser zurück: Ihre Eingaben sind noch da.',
  labels: new Map([
    ['name', 'Name'],
    ['first_name', 'Vorname'],
    ['last_name', 'Nachname'],
    ['email', 'E-Mail-Adresse'],
    ['phone', 'Telefonnummer'],
    ['message', 'Nachricht'],
    ['date', 'Datum'],
    ['time', 'Uhrzeit'],
  ]),
  faults: {
    required: () => 'fehlt noch.',
    too_long: (max) => `ist zu lang: höchstens ${max} Zeichen.`,
    email: () => 'ist keine E-Mail-Adresse wie ada@example.com.',
    phone: () => 'ist keine Telefonnummer wie +49 30 901820.',
    text: () => 'muss ein Text sein.',
  },
  whyNot: {
    403: 'Von dieser Seite aus kann das Formular nicht gesendet werden.',
    405: 'Hier ist nichts zu sehen: Hierhin wird ein Formular gesendet.',
    413: 'Das ist zu groß. Bitte kürzen Sie es, oder lassen Sie die Dateien weg.',
    429: 'Gerade kommt zu viel auf einmal an. Bitte versuchen Sie es in einer Minute noch einmal.',
  },
  whyNotElse: 'Bei uns stimmt etwas nicht. Bitte versuchen Sie es in einer Minute noch einmal.',
};

/** The texts for a locale; English where there are none. */
export const formTexts = (locale: string): FormTexts => (/^de\b/i.test(locale) ? GERMAN : ENGLISH);

/** A fault as its visitor reads it. */
export const faultText = ({ labels, faults }: FormTexts, { field, code }: Fault): string =>
  `${field.label ?? labels.get(field.name) ?? field.name} ${faults[code](field.max)}`;
