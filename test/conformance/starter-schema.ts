import * as z from 'zod/mini';
import { strictDocument } from '../../src/schema/parts.ts';
import { CAPTURED_KINDS } from '../../src/config/starter.ts';
import { routeSchema, sourceSchema, templateSchema } from '../../src/config/schema.ts';
import { SECRET_NAME } from '../../src/lib/secret.ts';

const texts = z.record(z.string().check(z.minLength(1)), z.string());
/** The schema of `assets/texts/{id}/{language}.json`. */
export const textsSchema = z.record(
  z.string().check(z.regex(/^[a-z\d-]+$/)),
  z.string().check(z.minLength(1)),
);

const line = (max: number) => z.string().check(z.maxLength(max), z.regex(/^\S.*\S$/s));

/** By the names of routes, what each would do, as the end of a sentence. */
const lines = z.record(z.string().check(z.minLength(1)), line(120));

const sampleSchema = strictDocument({
  name: line(64),
  silent: z.optional(line(200)),
  headers: z.optional(texts),
  query: z.optional(texts),
  payload: z.optional(z.json()),
  content_type: z.optional(line(128)),
  body: z.optional(z.string()),
}).check(
  z.refine(
    ({ payload, body, content_type }) =>
      (payload === undefined) !== (body === undefined) && (body === undefined || content_type !== undefined),
    { error: 'has either a JSON `payload`, or a `body` and its `content_type`' },
  ),
);

/** The schema of `assets/providers/{id}.json`. For tests and tools: the Worker trusts its own assets. */
export const starterSchema = strictDocument({
  docs_url: z.optional(z.url({ protocol: /^https$/ })),
  confidence: strictDocument({
    level: z.enum(['verified', 'reported', 'unconfirmed']),
    note: line(400).check(z.regex(/^(?!.*:\/\/)/s, { error: 'has no links' })),
  }),
  captured: strictDocument({ kind: z.enum(CAPTURED_KINDS), note: z.optional(line(600)) }),
  setup: line(2_000),
  secret: z.optional(strictDocument({ name: z.string().check(z.regex(SECRET_NAME)), hint: line(300) })),
  source: z.optional(z.omit(sourceSchema, { provider: true, routes: true, secrets: true })),
  asks: z.optional(
    z.record(
      z.string().check(z.regex(/^[a-z\d-]+$/)),
      strictDocument({ question: line(200), example: line(64), pattern: line(200) }),
    ),
  ),
  samples: z.array(sampleSchema).check(z.minLength(1)),
  routes: z.array(routeSchema).check(z.minLength(1)),
  further: z.optional(lines),
  customers: z.optional(lines),
  templates: z.optional(z.record(z.string(), templateSchema)),
});
