import * as z from 'zod/mini';
import { httpUrl } from '../../lib/url.ts';
import {
  listOf,
  oneOf,
  recordOf,
  secretName,
  someText,
  strictDocument,
  wholeNumber,
} from '../../schema/parts.ts';

/** A valid name of a form field: as in HTML, but short, on one line, and none of ours, which begin with `_`. */
const FIELD_NAME = /^[\p{L}\p{N}][^\p{Cc}\p{Zl}\p{Zp}]{0,63}$/u;

export const isFieldName = (name: string): boolean => FIELD_NAME.test(name) && name === name.trim();

const originOf = (text: string): string | null => {
  const url = httpUrl(text);
  return url.ok ? url.value.origin : null;
};

/** A page's origin as a browser sends it, without a path or a slash at the end. */
const origin = z.string({ error: 'must be text' }).check(
  z.refine((text) => originOf(text) === text, {
    error: 'must be a page’s origin, without a path, such as https://shop.example',
  }),
);

const page = someText(2_048).check(
  z.refine((text) => originOf(text) !== null, {
    error: 'must be the full address of a page, such as https://shop.example/thanks',
  }),
);

const yesOrNo = z.boolean({ error: 'must be true or false' });

const field = strictDocument({
  kind: z.optional(oneOf(['text', 'name', 'email', 'phone', 'file'])),
  label: z.optional(someText(80)),
  max: z.optional(wholeNumber(1, 20_000)),
  required: z.optional(yesOrNo),
});

const spam = strictDocument({
  /** A field that people cannot see, and that programs fill in. */
  honeypot: z.optional(
    z.string({ error: 'must be text' }).check(
      z.refine(isFieldName, {
        error: 'must be the name of a field that people do not see, such as website',
      }),
    ),
  ),
  links: z.optional(wholeNumber(0, 100)),
  min_seconds: z.optional(wholeNumber(1, 3_600)),
  turnstile: z.optional(secretName),
  per_address: z.optional(strictDocument({ per_hour: wholeNumber(1, 100) })),
});

export const formKeys = {
  origins: z.optional(
    z.union([z.literal('any'), listOf(origin, 'origins', { min: 1, max: 50 })], {
      error: 'must be a list of origins such as https://shop.example, or any',
    }),
  ),
  redirect: z.optional(strictDocument({ ok: z.optional(page), failed: z.optional(page) })),
  fields: z.optional(recordOf(field, 'must map name to field')),
  other_fields: z.optional(oneOf(['drop', 'keep'])),
  spam: z.optional(spam),
};
