import * as z from 'zod/mini';
import { strictDocument } from '../../schema/parts.ts';

/** `verify: { scheme: none }`: everybody who knows the address is believed. Must be written out. */
export const noneSchema = strictDocument({ scheme: z.literal('none') });
