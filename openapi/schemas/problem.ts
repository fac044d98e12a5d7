import * as z from 'zod';

const fieldError = z
  .object({
    path: z.string().meta({
      description:
        'Where, as a person would write it, such as `sources.shop.routes[0].to`; empty for the whole.',
    }),
    message: z.string().meta({ description: 'What is wrong, and, if known, what to write instead.' }),
  })
  .meta({ id: 'FieldError', description: 'One error or warning.' });

export const fieldErrors = z.array(fieldError);

/** Every error: RFC 9457. */
export const problem = z
  .object({
    type: z
      .string()
      .regex(/^urn:hookbell:problem:[a-z-]+$/)
      .meta({ description: 'Which error it is: a constant name.' }),
    title: z.string().meta({ description: 'The same as text.' }),
    status: z.int().min(400).max(599).meta({ description: 'The status of the answer.' }),
    detail: z.string().meta({ description: 'What happened this time, for a person.' }),
    errors: fieldErrors.optional().meta({ description: 'Up to 100 errors with their paths.' }),
  })
  .meta({ id: 'Problem', description: 'What every error answers with: RFC 9457 problem details.' });
