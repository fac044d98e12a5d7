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
  keep: 'Go back in your browser: your entries are still there.',
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
    required: () => 'is required.',
    too_long: (max) => `is too long: at most ${max} characters.`,
    email: () => 'is not a valid e-mail address, such as ada@example.com.',
    phone: () => 'is not a valid phone number, such as +44 20 7946 0958.',
    text: () => 'must be text.',
  },
  whyNot: {
    403: 'This form cannot be sent from that page.',
    405: 'There is nothing to see here: this address receives a form.',
    413: 'This is too large. Please shorten it or leave out the files.',
    429: 'Too many forms are arriving right now. Please try again in a minute.',
  },
  whyNotElse: 'Something went wrong on our side. Please try again in a minute.',
};

const GERMAN: FormTexts = {
  language: 'de',
  thanks: 'Vielen Dank',
  arrived: 'Ihre Nachricht ist angekommen.',
  back: 'Zurück zur Seite',
  notSent: 'Noch nicht abgeschickt',
  correct: 'Bitte korrigieren Sie:',
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
    email: () => 'ist keine gültige E-Mail-Adresse wie ada@example.com.',
    phone: () => 'ist keine gültige Telefonnummer wie +49 30 901820.',
    text: () => 'muss ein Text sein.',
  },
  whyNot: {
    403: 'Von dieser Seite aus lässt sich das Formular nicht absenden.',
    405: 'Hier gibt es nichts zu sehen: Diese Adresse nimmt ein Formular entgegen.',
    413: 'Das ist zu groß. Bitte kürzen Sie Ihre Eingaben oder lassen Sie die Dateien weg.',
    429: 'Gerade gehen zu viele Formulare ein. Bitte versuchen Sie es in einer Minute noch einmal.',
  },
  whyNotElse: 'Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es in einer Minute noch einmal.',
};

/** The texts for a locale; English where there are none. */
export const formTexts = (locale: string): FormTexts => (/^de\b/i.test(locale) ? GERMAN : ENGLISH);

/** A fault as its visitor reads it. */
export const faultText = ({ labels, faults }: FormTexts, { field, code }: Fault): string =>
  `${field.label ?? labels.get(field.name) ?? field.name} ${faults[code](field.max)}`;
