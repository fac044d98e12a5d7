import { isLoopback } from '../../src/lib/url.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';
import { ownValue } from '../../src/lib/json.ts';

/** The field that people do not see: a form in which it is filled in is spam. */
const HONEYPOT = 'website';

/** The fields of a form if nobody says otherwise. `*`: it must not be empty. */
export const USUAL_FIELDS = 'name*, email, phone, message*';

const FIELD = /^[A-Za-z][\w-]{0,63}\*?$/;

const MOST_FIELDS = 30;

const KINDS: ReadonlyMap<string, string> = new Map([
  ['email', 'email'],
  ['phone', 'phone'],
  ['mobile', 'phone'],
  ['file', 'file'],
]);

/**
 * A page's address as a person writes it, as the origin that its browser names. Without TLS anybody between could read and
 * change what a visitor sends, so `http` is for trying on the same machine.
 */
export function readPage(text: string): Result<string, string> {
  const trimmed = text.trim();
  const url = URL.parse(/^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  const isHost = url !== null && /^(localhost|\[.+\]|[\w.-]*[^.]\.[^.*]+)$/.test(url.hostname);
  return isHost && !/[\s@]/.test(trimmed) && (url.protocol === 'https:' || isLoopback(url.hostname))
    ? ok(url.origin)
    : err('is not the address of a page, such as https://shop.example (`http` only for localhost)');
}

export type FieldRules = Readonly<Record<string, object>>;

/** The fields of a form as a person lists them: `name*, email, message*`. */
export function readFields(text: string): Result<FieldRules, string> {
  const names = text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  if (names.some((name) => !FIELD.test(name)))
    return err('is not a list of fields, such as name*, email, message*: letters, digits, `-` and `_`');
  if (names.some((name) => plainName(name) === HONEYPOT))
    return err(`has \`${HONEYPOT}\`, the field that only spam fills in: call it \`homepage\``);
  if (names.length === 0 || names.length > MOST_FIELDS) return err(`must be 1 to ${MOST_FIELDS} fields`);
  const rules = names.map((written) => {
    const name = plainName(written);
    const kind = KINDS.get(name);
    return [name, { ...(kind && { kind }), ...(written !== name && { required: true }) }] as const;
  });
  return ok(Object.fromEntries(rules));
}

const plainName = (name: string): string => name.replace(/\*$/, '');

type Document = Readonly<Record<string, unknown>>;

const SHOWN: ReadonlySet<string> = new Set(['name', 'email', 'phone', 'message']);

/**
 * A starter for the form on this page. Its protection from spam needs no script. The owner's message shows all fields; the
 * visitor gets one only if the form asks for a name and a number. `page`: null while it is not known.
 */
export function formStarter<
  Some extends { readonly source?: Document; readonly routes: readonly Document[] },
>(starter: Some, page: string | null, fields: FieldRules): Some {
  const canThank = Object.hasOwn(fields, 'phone') && Object.hasOwn(fields, 'name');
  const spam = { honeypot: HONEYPOT, links: 2, per_address: { per_hour: 5 } };
  const routes = starter.routes.flatMap((route) => {
    if (route['to_visitor'] === true && !canThank) return [];
    return route['when'] === undefined ? { ...route, send: withFields(route['send'], fields) } : route;
  });
  return { ...starter, source: { ...(page !== null && { origins: [page] }), fields, spam }, routes };
}

/** A template with a line for each field that it does not show yet. */
function withFields(send: unknown, fields: FieldRules): unknown {
  const message = ownValue(send, 'message');
  if (typeof message !== 'string' || typeof send !== 'object') return send;
  const lines = Object.entries(fields)
    .filter(([name]) => !SHOWN.has(name))
    .map(([name, rule]) => {
      const value = ownValue(rule, 'kind') === 'file' ? `payload.${name}.filename` : `payload.${name}`;
      return `{% if ${value} != blank %}\n${name}: {{ ${value} | plain }}{% endif %}`;
    });
  // A link comes last.
  return { ...send, message: message.replace(/(?:\n.*\bactions\..*)?$/, (link) => lines.join('') + link) };
}

/** True if a form with these fields takes what people usually write into one: a name, an address and a message. */
export const takesUsual = (fields: FieldRules): boolean =>
  Object.entries(fields).every(([name, rule]) => SHOWN.has(name) || ownValue(rule, 'required') !== true) &&
  ownValue(fields['phone'], 'required') !== true;
