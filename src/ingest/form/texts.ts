import type { FieldRule } from '../../config/compiled/form-field.ts';

/** A fault of a field. Its visitor reads it in their language. */
export type FormFault = Readonly<{ field: FieldRule; code: FaultCode }>;

export type FormTexts = Readonly<typeof ENGLISH>;

export type FaultCode = keyof FormTexts['faults'];

export const ENGLISH = {
  language: 'en',
  thanks: 'Thank you',
  arrived: 'Your message has arrived.',
  back: 'Back to the page',
  notSent: 'Not sent yet',
  correct: 'Please correct this:',
  keep: 'Go back in your browser: your entries are still there.',
  /** Of fields for which the source gives none. */
  labels: {
    name: 'Name',
    first_name: 'First name',
    last_name: 'Last name',
    email: 'E-mail address',
    phone: 'Phone number',
    message: 'Message',
    date: 'Date',
    time: 'Time',
  } as Readonly<Record<string, string>>,
  faults: {
    required: 'is required.',
    too_long: 'is too long: at most {max} characters.',
    email: 'must be a valid e-mail address, such as ada@example.com.',
    phone: 'must be a valid phone number, such as +44 20 7946 0958.',
    text: 'must be text.',
  },
  whyNot: {
    403: 'This form cannot be sent from that page.',
    405: 'There is nothing to see here: this address receives a form.',
    413: 'This is too large. Please shorten it or leave out the files.',
    429: 'Too many forms are arriving right now. Please try again in a minute.',
  } as Readonly<Partial<Record<number, string>>>,
  whyNotElse: 'Something went wrong on our side. Please try again in a minute.',
};

/** The label of a field that many forms have; undefined if it has none. */
export const labelOf = ({ labels }: Pick<FormTexts, 'labels'>, name: string): string | undefined =>
  Object.hasOwn(labels, name) ? labels[name] : undefined;

export const faultText = (texts: FormTexts, { field: { name, label, max }, code }: FormFault): string =>
  `${label ?? labelOf(texts, name) ?? name} ${texts.faults[code].replace('{max}', String(max))}`;
