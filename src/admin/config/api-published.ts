import * as z from 'zod';
import { configVersion } from '../../schema/api-parts.ts';
import { fieldErrors } from '../../schema/api-problem.ts';

export const warnings = fieldErrors.meta({ description: 'Warnings: valid, but perhaps not intended.' });

/** A version that is active now. */
export const activated = z
  .object({ version: configVersion.meta({ description: 'The active version.' }), warnings })
  .meta({ id: 'Published', description: 'It was published.' });
