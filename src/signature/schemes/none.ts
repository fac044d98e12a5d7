import * as z from 'zod/mini';
import { strictDocument } from '../../schema/parts.ts';

/** `verify: { scheme: none }`: everybody who knows the address can send. It has to be written explicitly. */
export const noneSchema = strictDocument({ scheme: z.literal('none') });
