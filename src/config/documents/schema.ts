import { verifySchema } from '../../signature/scheme.ts';
import { eventKeys, factsSchema } from '../../provider/provider.ts';
import { type DocumentKind, NAME, ofEachKind } from './name.ts';
import { DAY, formatDuration, MINUTE, parseDuration } from '../../lib/time.ts';
import { isExpression } from '../../template/basics/locale.ts';
import { isCountry } from '../../phone/read.ts';
import {
  didYouMean,
  duration,
  listOf,
  mustBe,
  oneOf,
  recordOf,
  secretName,
  someText,
  strictDocument,
  textLike,
  textThat,
  wholeNumber,
  withoutConflicts,
} from '../../schema/parts.ts';
import { accountSchema, limitOrNone } from './account-schema.ts';
import {
  escalateSchema,
  expression,
  groupSchema,
  incidentSchema,
  quietSchema,
  receiversSchema,
  recipientsSchema,
  silenceSchema,
  throttleSchema,
  timezone,
} from './alerting-schema.ts';
import { fieldError } from '../../lib/problem.ts';
import * as z from 'zod/mini';
import {
  KIND_NAMES,
  LIST_LENGTH,
  MAX_PARAM_LENGTH,
  MESSAGE_KINDS,
  type MessageKind,
  type ParamsOf,
} from '../../gateway/kinds.ts';
import { asObject, isObject } from '../../lib/json.ts';
import { httpUrl } from '../../lib/url.ts';

/** A valid name of a form field: as in HTML, but short, on one line, and none of ours, which begin with `_`. */
const FIELD_NAME = /^[\p{L}\p{N}][^\p{Cc}\p{Zl}\p{Zp}]{0,63}$/u;

export const isFieldName = (name: string): boolean => FIELD_NAME.test(name) && name === name.trim();

const originOf = (text: string): string | null => {
  const url = httpUrl(text);
  return url.ok ? url.value.origin : null;
};

const SAYS = {
  origin: 'must be a page’s origin, without a path, such as https://shop.example',
  origins: 'must be a list of origins such as https://shop.example, or any',
  page: 'must be the full address of a page, such as https://shop.example/thanks',
  honeypot: 'must be the name of a field that people do not see, such as website',
  action: 'is not an action name: lower-case letters, digits and `_`, 20 at most, starting with a letter',
  name: 'must be 1 to 64 of A–Z, a–z, 0–9, `-` and `_`, starting with a letter or digit',
  country: 'must be an ISO 3166 country code in capitals such as DE, or GB for the United Kingdom',
  locale: 'must be a BCP 47 language tag such as de-DE, of a supported language',
  byTag: 'must have a `default`, and language tags: `{ default: order-paid, de: order-paid-de }`',
  url: 'must be the full address that you gave to the provider, such as https://hooks.example.com/hooks/shop',
};

/** A page's origin as a browser sends it, without a path or a slash at the end. `*` stands for no part of one. */
const origin = textThat(
  (text) => originOf(text) === text && !text.includes('*'),
  SAYS.origin,
  'must be text',
);

const page = someText(2_048).check(z.refine((text) => originOf(text) !== null, { error: SAYS.page }));

const yesOrNo = z.boolean({ error: 'must be true or false' });

const field = strictDocument(() => ({
  kind: z.optional(oneOf(['text', 'name', 'email', 'phone', 'file'])),
  label: z.optional(someText(80)),
  max: z.optional(wholeNumber(1, 20_000)),
  required: z.optional(yesOrNo),
}));

const spam = strictDocument(() => ({
  /** A field that people cannot see, and that programs fill in. */
  honeypot: z.optional(textThat(isFieldName, SAYS.honeypot, 'must be text')),
  links: z.optional(wholeNumber(0, 100)),
  min_seconds: z.optional(wholeNumber(1, 3_600)),
  turnstile: z.optional(secretName),
  per_address: z.optional(strictDocument({ per_hour: wholeNumber(1, 100) })),
}));

export const formKeys = {
  origins: z.optional(
    z.union([z.literal('any'), listOf(origin, 'origins', { min: 1, max: 50 })], { error: SAYS.origins }),
  ),
  redirect: z.optional(strictDocument({ ok: z.optional(page), failed: z.optional(page) })),
  fields: z.optional(recordOf(field, 'must map name to field')),
  other_fields: z.optional(oneOf(['drop', 'keep'])),
  spam: z.optional(spam),
};

const text = someText(MAX_PARAM_LENGTH);
const list = (name: string) => listOf(text, name, LIST_LENGTH);

type Value<P> = P extends { holds: 'list' } ? ReturnType<typeof list> : typeof text;
type Property<P> = P extends { isOptional: true } ? z.ZodMiniOptional<Value<P>> : Value<P>;
type Shape<K extends MessageKind> = { kind: z.ZodMiniLiteral<K> } & {
  -readonly [N in keyof ParamsOf<K>]: Property<ParamsOf<K>[N]>;
};
type SchemaOfKind<Keys extends z.core.$ZodShape> = {
  [K in MessageKind]: z.ZodMiniObject<Shape<K> & Keys, z.core.$strict>;
}[MessageKind];

/** The schema of a message of any kind: the kind and its parameters as `gateway/kinds.ts` declares them, and `keys`. */
export const messageOf = <Keys extends z.core.$ZodShape>(keys: Keys) =>
  z.discriminatedUnion(
    'kind',
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made of the declarations that its type is made of
    KIND_NAMES.map((kind) => strictDocument(() => ({ ...shapeOf(kind), ...keys }))) as unknown as [
      SchemaOfKind<Keys>,
      ...SchemaOfKind<Keys>[],
    ],
    { error: kindError },
  );

const shapeOf = (kind: MessageKind): z.core.$ZodShape => ({
  kind: z.literal(kind),
  ...Object.fromEntries(
    Object.entries(MESSAGE_KINDS[kind].params).map(([name, { holds, isOptional }]) => {
      const value = holds === 'list' ? list(name) : text;
      return [name, isOptional === true ? z.optional(value) : value];
    }),
  ),
});

function kindError({ input }: { readonly input?: unknown }): string {
  if (!isObject(input)) return 'must be a template: a `kind` and its parameters';
  const { kind: given } = input;
  const wrong = given === undefined ? 'is required:' : 'must be';
  return `${wrong} one of ${KIND_NAMES.join(', ')}${didYouMean(given, KIND_NAMES)}`;
}

/** The name of an action, as a template writes it: `actions.approve.url`. */
const ACTION = /^[a-z][a-z0-9_]{0,19}$/;

/** The longest text of a button, in UTF-16 units of its template. */
const MAX_LABEL = 256;

/** The maximum number of links in a message. Nobody reads more. */
const MAX_ACTIONS = 8;

const SILENCE = [MINUTE, 30 * DAY] as const;

const notASilence = mustBe(
  `a duration from ${formatDuration(SILENCE[0])} to ${formatDuration(SILENCE[1])} such as \`1h\`, or a time in quotes such as "07:00"`,
);

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

function isSilence(text: string): boolean {
  const parsed = parseDuration(text);
  return TIME.test(text) || (parsed.ok && parsed.value >= SILENCE[0] && parsed.value <= SILENCE[1]);
}

const action = strictDocument(() => ({
  label: z.optional(someText(MAX_LABEL)),
  expires: z.optional(duration(MINUTE, 30 * DAY)),
  silence: z.optional(textThat(isSilence, notASilence, notASilence)),
}));

const actionsSchema = recordOf(action, 'must be an object of actions by name').check(
  withoutConflicts((actions) => {
    const names = Object.keys(actions);
    const wrong = names
      .filter((name) => !ACTION.test(name))
      .map((name) => fieldError(name.slice(0, 64), 'malformed', SAYS.action));
    const tooMany = fieldError('', 'too-long', `must be at most ${MAX_ACTIONS} actions`);
    return names.length > MAX_ACTIONS ? [...wrong, tooMany] : wrong;
  }),
);

const name = textLike(NAME, SAYS.name, mustBe('a name, as text'));

const countryCode = textThat(isCountry, SAYS.country);

export const localeTag = textThat(isLocale, SAYS.locale);

/** A language tag, or a text that reads one from each event. */
const locale = textThat(
  (text) => isExpression(text) || isLocale(text),
  `${SAYS.locale}, or a text such as \`{{ payload.locale | default: "de-DE" }}\``,
);

function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length === 1;
  } catch {
    return false;
  }
}

export const sendSchema = messageOf({});

/** A fallback. If it names another account, it may be sent before the message is dead. */
export const fallbackSchema = messageOf({
  account: z.optional(name),
  after: z.optional(duration(1_000, 30 * DAY)),
});

export const templateKeys = {
  fallback: z.optional(listOf(fallbackSchema, 'templates', { min: 1, max: 3 })),
};

export const templateSchema = messageOf(templateKeys);

/** The keys of a route that decide when its receivers are notified. A recipients list has some of them. */
export const alertingKeys = {
  incident: z.optional(incidentSchema),
  group: z.optional(groupSchema),
  throttle: z.optional(throttleSchema),
  digest: z.optional(
    z.union([name, templateSchema], { error: 'must be the name of a template, or a template' }),
  ),
  quiet: z.optional(quietSchema),
  escalate: z.optional(escalateSchema),
  acknowledged_for: z.optional(duration(1_000, 90 * DAY)),
};

/** True if a stored route or list has one of these keys, or a rotation. */
export const hasAlertingKey = (document: unknown): boolean =>
  Object.keys(asObject(document)).some((key) => key === 'rotation' || Object.hasOwn(alertingKeys, key));

const templateNames = z
  .union([name, recordOf(name)], { error: 'must be the name of a template' })
  .check(
    z.refine(
      (names) =>
        typeof names === 'string' ||
        ('default' in names && Object.keys(names).every((tag) => tag === 'default' || isLocale(tag))),
      { error: SAYS.byTag },
    ),
  );

export const routeSchema = strictDocument(() => ({
  name,
  when: z.optional(expression),
  to: z.optional(receiversSchema),
  template: z.optional(templateNames),
  send: z.optional(templateSchema),
  each: z.optional(expression),
  once: z.optional(expression),
  stop: z.optional(yesOrNo),
  delay: z.optional(duration(0, 30 * DAY)),
  expires: z.optional(duration(1_000, 30 * DAY)),
  on_uncertain: z.optional(oneOf(['retry', 'hold'])),
  priority: z.optional(oneOf(['normal', 'high'])),
  max_length: z.optional(wholeNumber(1, 65_536)),
  overflow: z.optional(oneOf(['truncate', 'split', 'fail'])),
  ...alertingKeys,
  actions: z.optional(actionsSchema),
  transactional: z.optional(yesOrNo),
  to_visitor: z.optional(z.literal(true, { error: 'must be true or absent' })),
}));

const DEDUPE = [1_000, 30 * DAY] as const;

const account = z.optional(name);
/** Each check is an alarm. With a shorter time, a quiet account would cost more than its messages. */
const heartbeat = z.optional(duration(10 * MINUTE, 90 * DAY));

export const sourceSchema = strictDocument(() => ({
  provider: z.optional(name),
  verify: z.optional(verifySchema),
  secrets: z.optional(listOf(secretName, 'names of secrets', { max: 8 })),
  handshake: z.optional(strictDocument({ secret: secretName })),
  url: z.optional(
    someText(2_048).check(
      z.refine((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''), { error: SAYS.url }),
    ),
  ),
  account,
  country: z.optional(countryCode),
  countries: z.optional(listOf(countryCode, 'countries', { min: 1, max: 250 })),
  premium: z.optional(yesOrNo),
  locale: z.optional(locale),
  timezone: z.optional(timezone),
  dedupe: z.optional(
    strictDocument({
      key: z.optional(expression),
      window: z.optional(duration(...DEDUPE)),
      body: z.optional(
        z.union([z.literal(false), duration(...DEDUPE)], {
          error: `must be a duration from ${DEDUPE.map(formatDuration).join(' to ')} such as 24h, or false`,
        }),
      ),
    }),
  ),
  subject: z.optional(expression),
  store: z.optional(oneOf(['full', 'metadata'])),
  ...eventKeys,
  answer: z.optional(z.literal(200, { error: 'must be 200; without it, the answer is 202' })),
  heartbeat,
  limit: z.optional(
    limitOrNone({
      per_minute: z.optional(wholeNumber(1, 1_000_000)),
      burst: z.optional(wholeNumber(1, 1_000_000)),
      mib_per_hour: z.optional(wholeNumber(1, 1_000_000)),
      messages_per_minute: z.optional(wholeNumber(1, 1_000_000)),
    }),
  ),
  ...formKeys,
  routes: z.optional(listOf(routeSchema, 'routes', { max: 200 })),
}));

/** The parts of a published source that lists and watches need. Nothing else is checked. */
export const outlineSchema = z.object({ account, heartbeat });

export const documentSchemas = {
  sources: sourceSchema,
  templates: templateSchema,
  recipients: recipientsSchema,
  accounts: accountSchema,
  silences: silenceSchema,
  /** What the trip of a webhook needs of a file. `provider-file.ts` has the whole. */
  providers: factsSchema,
} as const;

/** A whole set as it was written: documents by name, not checked yet. */
export type ConfigSet = Readonly<Record<DocumentKind, Readonly<Record<string, unknown>>>>;

export type SourceDocument = z.output<typeof sourceSchema>;
export type RouteDocument = z.output<typeof routeSchema>;
export type TemplateDocument = z.output<typeof templateSchema>;

export const EMPTY_SET: ConfigSet = ofEachKind(() => ({}));

export const setSchema: z.ZodMiniType<ConfigSet> = z.object(ofEachKind(() => recordOf(z.unknown())));

export const parseSet = (json: string): ConfigSet => setSchema.parse(JSON.parse(json));
