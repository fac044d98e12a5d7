import { FIELD_CODES } from '../lib/problem.ts';
import * as z from 'zod';

/** The codes of errors and warnings in documents and requests. `api-docs/errors.ts` describes each. */
export const fieldCode = z
  .enum(FIELD_CODES)
  .meta({ id: 'FieldCode', description: 'What is wrong, as a constant: docs/errors.md lists them.' });

const params = z
  .record(z.string(), z.string())
  .optional()
  .meta({ description: 'The values of the error as texts: names, limits, and what would be allowed.' });

const fieldError = z
  .object({
    path: z.string().meta({
      description:
        'The place, as a person would write it, such as `sources.shop.routes[0].to`; empty: the whole request.',
    }),
    code: fieldCode,
    params,
    message: z.string().meta({ description: 'The error, with a suggested fix if one is known.' }),
  })
  .meta({ id: 'FieldError', description: 'One error or warning.' });

export const fieldErrors = z.array(fieldError);

/** Every error: RFC 9457. */
export const problem = z
  .object({
    type: z
      .string()
      .regex(/^urn:hookbell:problem:[a-z-]+$/)
      .meta({ description: 'The error as a constant name.' }),
    code: z.string().meta({ description: 'The same without its prefix: docs/errors.md lists them.' }),
    params,
    title: z.string().meta({ description: 'The name of the error in words.' }),
    status: z.int().min(400).max(599).meta({ description: 'The status of the response.' }),
    detail: z.string().meta({ description: 'An explanation of this error for a person.' }),
    errors: fieldErrors.optional().meta({ description: 'Up to 50 errors with their paths.' }),
  })
  .meta({ id: 'Problem', description: 'The body of every error: RFC 9457 problem details.' });
