import * as z from 'zod';
import { strictDocument } from '../config/schema-parts.ts';
import { routeSchema, sourceSchema, templateSchema } from '../config/schema.ts';
import { SECRET_NAME } from '../env.ts';

const texts = z.record(z.string().min(1), z.string());
const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^\S.*\S$/s);

const sampleSchema = strictDocument({
  name: line(64),
  headers: z.optional(texts),
  query: z.optional(texts),
  payload: z.optional(z.json()),
  content_type: z.optional(line(128)),
  body: z.optional(z.string()),
}).refine(
  ({ payload, body, content_type }) =>
    (payload === undefined) !== (body === undefined) && (body === undefined || content_type !== undefined),
  {
    error: 'has either a JSON `payload`, or a `body` and its `content_type`',
  },
);

/** What `assets/providers/{id}.json` must look like. For tests and tools: the Worker trusts its own assets. */
export const starterSchema = strictDocument({
  docs_url: z.optional(z.url({ protocol: /^https$/ })),
  confidence: strictDocument({
    level: z.enum(['verified', 'reported', 'unconfirmed']),
    note: line(400).regex(/^(?!.*:\/\/)/s, { error: 'has no links' }),
  }),
  setup: line(2_000),
  secret: z.optional(strictDocument({ name: z.string().regex(SECRET_NAME), hint: line(300) })),
  source: z.optional(sourceSchema.omit({ provider: true, routes: true, secrets: true })),
  samples: z.array(sampleSchema).min(1),
  routes: z.array(routeSchema).min(1),
  templates: z.optional(z.record(z.string(), templateSchema)),
});
