import * as z from 'zod/mini';
import { recordOf } from '../../schema/parts.ts';
import type { ConfigSet } from './schema.ts';

const documents = recordOf(z.unknown());

/** A set as it was written. Checks no document. */
export const setSchema: z.ZodMiniType<ConfigSet> = z.object({
  sources: documents,
  templates: documents,
  recipients: documents,
  accounts: documents,
  silences: z._default(documents, {}),
  providers: z._default(documents, {}),
});

/** Parses a set from JSON. */
export const parseSet = (json: string): ConfigSet => setSchema.parse(JSON.parse(json));
