import * as z from 'zod/mini';
import {
  duration,
  listOf,
  mustBe,
  notAnObject,
  notText,
  oneOf,
  readAs,
  recordOf,
  someText,
  strictDocument,
  textLike,
  wholeNumber,
} from '../schema/parts.ts';
import { FactsOn } from '../lib/cache.ts';
import { DAY } from '../lib/time.ts';
import { SNS_HOST } from '../signature/schemes/rsa.ts';
import type { Answered } from '../schema/api-parts.ts';
import { digestOf } from '../signature/basics/request.ts';
import { verifySchema, type VerifyScheme } from '../signature/scheme.ts';
import { compileText } from '../template/text.ts';
import { holds, lookupsOf, type Items, type Lookup, type LookupFacts, type LookupPlace } from './lookup.ts';

export const CATEGORIES = [
  'payments',
  'forms',
  'commerce',
  'messaging',
  'email',
  'crm',
  'devops',
  'alerts',
  'other',
] as const;

const text = someText(1_024);
const yes = z.literal(true, { error: 'must be true or absent' });

const notAPlace = mustBe('`body:` and a path such as `body:data.id`, or `header:` or `query:` and a name');

const placeText = textLike(/^(?:body:.{0,256}|(?:header|query):.{1,128})$/, notAPlace, notAPlace);
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the pattern has checked it
const asPlace = z.transform((found: string) => found as LookupPlace);
const place = z.pipe(placeText, asPlace);
const bodyPlace = z.pipe(
  placeText.check(z.regex(/^body:/, { error: mustBe('`body:` and a path') })),
  asPlace,
);

const conditions = (at: typeof place) =>
  listOf(
    strictDocument({
      at,
      equals: z.optional(z.string({ error: notText })),
      absent: z.optional(yes),
    }).check(
      z.refine(({ equals, absent }) => equals === undefined || absent === undefined, {
        error: 'has both `equals` and `absent`: keep one of them',
      }),
    ),
    'conditions',
    { max: 8 },
  );
const where = conditions(place);

/** A template, or several of which the first counts whose parts are all there. */
const lookups = (roots: readonly string[]) =>
  readAs(
    z.union([text, listOf(text, 'texts', { min: 1, max: 8 })], {
      error: 'must be a text, or a list of texts',
    }),
    (given) => lookupsOf([given].flat(), roots),
  );

const eventText = lookups(['payload', 'headers', 'query']);

export const eventSchema = strictDocument(() => ({
  id: z.optional(eventText),
  type: z.optional(eventText),
  subject: z.optional(
    text.check(({ value, issues }) => {
      const line = compileText(value);
      if (!line.ok) issues.push({ code: 'custom', message: line.error, input: value });
    }),
  ),
  items: z.optional(
    strictDocument({
      at: textLike(
        /^payload(?:\.[^.\s]{1,64}){0,8}$/,
        mustBe('the path of a list, such as `payload.events`, or `payload.entry.*.changes` for all of them'),
      ),
      id: z.optional(lookups(['item'])),
    }),
  ),
}));

const paths = listOf(text, 'paths', { min: 1, max: 8 });

export const bodySchema = strictDocument(() => ({
  json_field: z.optional(text),
  base64_texts: z.optional(paths),
  json_texts: z.optional(paths),
}));

const value = z.union(
  [
    z.string(),
    strictDocument({ echo: place }),
    strictDocument({ hmac: place, encoding: oneOf(['hex', 'base64']), prefix: z.optional(text) }),
  ],
  { error: 'must be a text, `{ echo: query:challenge }`, or `{ hmac: body:token, encoding: hex }`' },
);

/** An address to call before the answer, and the pattern of the only hosts that are allowed. */
const CONFIRM: Readonly<Record<'sns', { readonly url: LookupPlace; readonly host: string }>> = {
  sns: { url: 'body:SubscribeURL', host: SNS_HOST.source },
};

export const handshakesSchema = listOf(
  strictDocument(() => ({
    match: strictDocument({ method: oneOf(['GET', 'HEAD', 'OPTIONS', 'POST']), where }),
    proof: z.discriminatedUnion(
      'by',
      [
        // The request is signed like any other.
        strictDocument({ by: z.literal('signature') }),
        // The answer reveals nothing.
        strictDocument({ by: z.literal('nothing') }),
        // The text is the secret that the source's `handshake: { secret }` names (Meta's verify token).
        strictDocument({ by: z.literal('secret'), at: place }),
        // The request hands over the key for later signatures. It is answered if the key is already one of the source's
        // secrets, or while an admin has the pairing window open.
        strictDocument({ by: z.literal('pairing'), key: place }),
      ],
      { error: 'must have a `by`, one of signature, nothing, secret, pairing' },
    ),
    respond: strictDocument({
      status: wholeNumber(200, 299),
      headers: z.optional(recordOf(value)),
      body: z.optional(
        z.union(
          [strictDocument({ text: value }), strictDocument({ json: recordOf(z.union([value, z.number()])) })],
          {
            error:
              'must be `{ text: … }` or `{ json: { … } }`, such as `{ text: { echo: query:challenge } }`',
          },
        ),
      ),
    }),
    confirm: z.optional(
      z.pipe(
        oneOf(['sns']),
        z.transform((name) => CONFIRM[name]),
      ),
    ),
  })),
  'handshakes',
  { max: 8 },
);

const answer = strictDocument(() => ({
  when: z.optional(where),
  status: wholeNumber(200, 299),
  body: z.optional(
    z.string({ error: notText }).check(
      z.refine((body) => body.length <= 4_096, {
        error: 'must have at most 4096 characters',
        params: { maxLength: 4_096 },
      }),
    ),
  ),
  content_type: z.optional(text),
}));

export const answersSchema = strictDocument(() => ({
  accepted: z.pipe(
    z.union([wholeNumber(200, 299), answer, listOf(answer, 'answers', { min: 1, max: 8 })], {
      error: 'must be a status from 200 to 299, `{ status, body, content_type }`, or a list of these',
    }),
    z.transform((given) => (typeof given === 'number' ? [{ status: given }] : [given].flat())),
  ),
}));

export const exponentsSchema = recordOf(wholeNumber(0, 4)).check(
  z.refine((all) => Object.keys(all).every((code) => /^[A-Z]{3}$/.test(code)), {
    error: 'must have currencies as its keys: three capital letters, such as `{ ISK: 2 }`',
  }),
  z.refine((all) => Object.keys(all).length <= 50, { error: 'must have at most 50 currencies' }),
);

/** The facts that a source can give, too. They win over its provider's. */
export const eventKeys = {
  event: z.optional(eventSchema),
  body: z.optional(bodySchema),
  handshakes: z.optional(handshakesSchema),
  answers: z.optional(answersSchema),
  exponents: z.optional(exponentsSchema),
};

/** The keys of a provider's file that processing a webhook needs. The rest is for people. */
export const factsKeys = {
  name: someText(64),
  category: z._default(oneOf(CATEGORIES), 'other'),
  popular: z.optional(wholeNumber(1, 100)),
  words: z.optional(listOf(someText(64), 'words', { max: 20 })),
  verify: z.optional(verifySchema),
  ...eventKeys,
  /** For a provider that signs neither an id nor a time: whoever has a request could send its body under any id. */
  signed_body: z.optional(
    strictDocument({
      window: duration(1_000, 30 * DAY),
      /** Types under which the same body is posted, if the type is in a header. Each of these makes an event. */
      types: z.optional(listOf(text, 'types', { max: 128 })),
      /**
       * Bodies that are known to hold something that changes, a time or a counter: all conditions of one of these lists
       * hold. No other body is claimed, since it may be posted again for another event. The conditions are only about
       * the body, since a person who sends it again could change anything else.
       */
      changing: listOf(conditions(bodyPlace), 'lists of conditions', { max: 200 }),
    }),
  ),
  left_out: z.optional(
    z.union([strictDocument({ list: text, count: text }), strictDocument({ list: text, total: text })]),
  ),
  size_setting: z.optional(text),
  chat_ids: z.optional(paths),
  local_times: z.optional(yes),
  form: z.optional(yes),
  /** It accepts no answer with a body, not even a refusal (Xero's check of an address). */
  bare_refusals: z.optional(yes),
};

export const factsSchema = z.object(factsKeys, { error: notAnObject });
export type ProviderFacts = z.output<typeof factsSchema>;

type Facts = Answered<Omit<ProviderFacts, 'event'>>;

/** What processing a webhook needs of a file `providers/{id}.yaml`. What is for people is in the provider's starter. */
export interface Provider extends Omit<Facts, 'answers' | 'body' | 'verify'> {
  readonly id: string;
  /** The verification of its requests. Null if the source needs its own `verify:`. */
  readonly verify: VerifyScheme | null;
  readonly subject?: string;
  /** The places of `event.type`. The first one found counts. Empty if its events have no types. */
  readonly event_type: readonly Lookup[];
  /** The places of the id that a repeated delivery keeps. Empty if no event is a duplicate. */
  readonly dedupe: readonly Lookup[];
  readonly items?: Items;
  /** The answers to an accepted event. The first whose `when` holds is sent. Default: 202 and the receipt. */
  readonly answers?: readonly Answer[];
  readonly body?: BodyQuirks;
}

/** Without a body: the receipt as JSON, or no body with 204. */
export type Answer = Answered<z.output<typeof answer>>;

export interface BodyQuirks extends Answered<z.output<typeof bodySchema>> {
  /** A body that is a JSON Web Token stands for its claims. */
  readonly token?: boolean;
}

export function providerOf(id: string, file: ProviderFacts): Provider {
  const { event, body, handshakes, answers, exponents, verify = null, ...facts } = file;
  const known = Object.entries(facts).filter(([key]) => Object.hasOwn(factsKeys, key));
  const provider = { id, ...Object.fromEntries(known), verify, event_type: [], dedupe: [] };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema leaves absent keys out, which its types do not say
  return withFacts(provider as unknown as Provider, { event, body, handshakes, answers, exponents });
}

const eventFacts = z.object(eventKeys);

/** The provider with the facts that are given, each in place of its own. */
export function withFacts(
  provider: Provider,
  {
    event: { id, type, subject, items } = {},
    body,
    handshakes,
    answers,
    exponents,
  }: z.output<typeof eventFacts>,
): Provider {
  const facts = {
    dedupe: id,
    event_type: type,
    subject,
    items: items && { at: items.at.slice('payload.'.length), id: items.id ?? [] },
    body,
    handshakes,
    answers: answers?.accepted,
    exponents,
  };
  const given = Object.entries(facts).filter(([, value]) => value !== undefined);
  return given.length === 0 ? provider : { ...provider, ...Object.fromEntries(given) };
}

export const summaryOf = ({ id, name, category, popular, verify, words }: Provider) => ({
  id,
  name,
  category,
  // A form on a public page has the scheme `none`, which is not a signature.
  signs: verify !== null && verify.scheme !== 'none',
  ...(popular !== undefined && { popular }),
  ...(words !== undefined && { words }),
});

/**
 * Null if equal bodies of this kind may be different events. `changing` undefined: all bodies are claimed. `isJson`: it
 * was read as JSON, which has only one reading.
 */
export function keyOfBody(
  { types = [], changing }: Partial<NonNullable<Provider['signed_body']>>,
  digest: string,
  { type, facts, isJson }: { type: string | null; facts: LookupFacts; isJson: boolean },
): string | null {
  if (isJson && changing?.some((all) => all.every((condition) => holds(condition, facts))) === false)
    return null;
  return type !== null && types.includes(type) ? digestOf(`${digest}\n${type}`) : digest;
}

export const providers = new FactsOn<Readonly<Record<string, Provider>>>('providers');

export const findProvider = (id: string): Provider | undefined =>
  Object.hasOwn(providers.inUse(), id) ? providers.inUse()[id] : undefined;

export const providerIds = (): readonly string[] => Object.keys(providers.inUse());

export const allProviders = (): readonly Provider[] => Object.values(providers.inUse());
