import * as z from 'zod';

export const many = z
  .object({
    items: z.array(
      z.object({
        path: z.string(),
        status: z.int().min(100).max(999).meta({ description: 'The status of its response.' }),
        body: z
          .unknown()
          .meta({ description: 'The JSON body of its response; null if the body is not valid JSON.' }),
      }),
    ),
  })
  .meta({ id: 'Many', description: 'Responses of several requests.' });
