import { TURNSTILE_FIELD, type FormRules } from '../../config/compiled/form-rules.ts';
import type { RandomBytes } from '../../lib/id.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { digestOf } from '../../signature/basics/match.ts';
import { CHARSET_FIELD } from '../parse/form.ts';
import type { VerifiedRequest } from '../request/event.ts';
import { identify } from '../request/identify.ts';
import { withPayload } from '../request/verify.ts';
import { checkFields, type FormFault } from './fields.ts';
import { MOMENT_FIELD } from './spam/moment.ts';
import { ENGLISH, faultText } from './texts.ts';

/** The form field with the page to send the visitor to. */
const NEXT = '_next';

/** What a form has besides its visitor's fields; a text that it lacks is empty. */
export interface OwnFields {
  readonly next: string;
  readonly moment: string;
  /** The answer of Turnstile's widget. */
  readonly token: string;
  /** True if the field that people do not see is filled in. */
  readonly isTrapped: boolean;
}

/** Longer texts are none that we take, but still too long. */
const MAX_OWN = 4_096;

/** Returns our own fields out of everything that was sent. */
export const ownOf = ({ spam }: FormRules, sent: Readonly<Record<string, unknown>>): OwnFields => ({
  next: oneText(sent[NEXT]),
  moment: oneText(sent[MOMENT_FIELD]),
  token: oneText(sent[TURNSTILE_FIELD]),
  isTrapped: spam.honeypot !== null && isFilled(sent[spam.honeypot]),
});

const oneText = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_OWN) : '');

/** True if any of its values is filled: two fields with the same name make a list. */
const isFilled = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isFilled) : value !== undefined && value !== null && value !== '';

/** Fields that the visitor did not write: ours, the browser's, Turnstile's, and the field that people do not see. */
export const ownFields = ({ spam }: FormRules): readonly string[] => [
  NEXT,
  CHARSET_FIELD,
  MOMENT_FIELD,
  TURNSTILE_FIELD,
  ...(spam.honeypot === null ? [] : [spam.honeypot]),
];

/** Returns the body's fields; null if the body is a text or a list. */
export const fieldsOf = (payload: unknown): Readonly<Record<string, unknown>> | null =>
  typeof payload === 'object' && payload !== null && !Array.isArray(payload)
    ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object has values by name
      (payload as Readonly<Record<string, unknown>>)
    : null;

/** Returns the same request with its fields as routes get them, or the faults that its visitor has to correct. */
export function checkedForm(request: VerifiedRequest): Result<VerifiedRequest, readonly FormFault[]> {
  const { form, locale } = request.source;
  if (form === null) return ok(request);
  const sent = fieldsOf(request.facts.payload) ?? {};
  const fields = checkFields(form, sent, { ...locale, own: ownFields(form) });
  return fields.ok ? ok(withPayload(request, fields.value)) : fields;
}

/** Does the same for previews, with the faults as one text, in English like all errors of the API. */
export function previewedForm(request: VerifiedRequest): Result<VerifiedRequest, string> {
  const checked = checkedForm(request);
  if (checked.ok) return checked;
  return err(`the form is refused: ${checked.error.map((fault) => faultText(ENGLISH, fault)).join(' ')}`);
}

/**
 * Identifies the event of a form. The same form twice in a short time is one event: a double click, or *Back* and
 * *Send*. It compares the checked fields, which routes also get.
 */
export function identifyForm(
  request: VerifiedRequest,
  randomBytes: RandomBytes,
): ReturnType<typeof identify> {
  const { event, dedupeFailure } = identify(request, randomBytes);
  const { bodyMs } = event.source.dedupe;
  if (bodyMs === 0) return { event, dedupeFailure };
  const digest = digestOf(JSON.stringify(event.payload));
  return { event: { ...event, signed: { digests: [digest], windowMs: bodyMs } }, dedupeFailure };
}
