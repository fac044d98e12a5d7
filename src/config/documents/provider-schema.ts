import * as z from 'zod/mini';
import { factsKeys } from '../../provider/provider.ts';
import { SECRET_NAME } from '../../lib/secret.ts';
import { HEADER_NAME } from '../../signature/signed/signed-template.ts';
import {
  listOf,
  mustBe,
  notText,
  oneOf,
  recordOf,
  someText,
  strictDocument,
  textLike,
} from '../../schema/parts.ts';
import { routeSchema, sourceSchema, templateSchema } from './schema.ts';

const line = someText(600);
const words = recordOf(line);
const texts = recordOf(someText(8_192));
const query = recordOf(z.string({ error: notText }));
/** Without what no header can have, such as a line break. */
const headerValue = z.regex(/^[\t\x20-\x7e\x80-\xff]*$/, {
  error: 'must be one line of letters, digits and signs of Latin, as in a header',
});
const headers = recordOf(z.string({ error: notText }).check(headerValue)).check(
  z.refine((all) => Object.keys(all).every((name) => HEADER_NAME.test(name)), {
    error: 'must have names of headers as its keys, such as `x-event`',
  }),
);
/**
 * The protection against captured requests that are sent again under another id. `signed-id`: the id is signed, so
 * the request is a duplicate. `signed-time`: the request is refused once its time has expired. `digest`: the signed
 * content is claimed. `open`: none, since the request contains the secret, or identical bodies are different events.
 */
export const CAPTURED_KINDS = ['signed-id', 'signed-time', 'digest', 'open'] as const;

const steps = listOf(someText(2_048), 'steps', { min: 1, max: 20 });

const sampleSchema = strictDocument({
  silent: z.optional(line),
  test: z.optional(z.literal(true, { error: 'must be true or absent' })),
  secret: z.optional(line),
  headers: z.optional(headers),
  query: z.optional(query),
  content_type: z.optional(someText(128).check(headerValue)),
  body: z.optional(z.unknown()),
}).check(
  z.refine(({ body, content_type }) => typeof body !== 'string' || content_type !== undefined, {
    error:
      'has a text as its `body`, so it needs a `content_type` such as `text/plain`; JSON is written as YAML',
    path: ['content_type'],
  }),
  z.refine(({ body }) => body !== undefined, { error: 'is required: what the sender posts', path: ['body'] }),
);

const askSchema = strictDocument({
  question: line,
  example: someText(64),
  pattern: line.check(z.refine(isPattern, { error: 'must be a regular expression, such as `[a-z0-9-]+`' })),
});

const otherLanguage = strictDocument({
  setup: z.optional(steps),
  hint: z.optional(line),
  asks: z.optional(words),
  samples: z.optional(words),
  routes: z.optional(texts),
  texts: z.optional(texts),
  sentences: z.optional(words),
});

export const providerSchema = strictDocument({
  ...factsKeys,
  mark: z.optional(someText(64)),
  docs: z.optional(textLike(/^https:\/\/\S+$/, mustBe('an address with https://'))),
  confidence: z.optional(
    strictDocument({ level: oneOf(['verified', 'reported', 'unconfirmed']), note: line }),
  ),
  captured: z.optional(strictDocument({ kind: oneOf(CAPTURED_KINDS), note: z.optional(line) })),
  setup: steps,
  secret: z.optional(
    strictDocument({
      name: textLike(SECRET_NAME, 'must be the NAME of a secret (A–Z, 0–9, _), never its value'),
      hint: line,
    }),
  ),
  source: z.optional(z.omit(sourceSchema, { provider: true, routes: true, secrets: true })),
  asks: z.optional(recordOf(askSchema)),
  samples: recordOf(sampleSchema).check(
    z.refine((all) => Object.keys(all).length > 0, {
      error: 'must have at least one: what the sender posts',
    }),
  ),
  routes: z.optional(listOf(routeSchema, 'routes', { max: 50 })),
  further: z.optional(words),
  customers: z.optional(words),
  templates: z.optional(recordOf(templateSchema)),
  texts: z.optional(texts),
  sentences: z.optional(words),
  de: z.optional(otherLanguage),
});

function isPattern(text: string): boolean {
  try {
    return new RegExp(text).source !== '';
  } catch {
    return false;
  }
}

export type ProviderDocument = z.output<typeof providerSchema>;
