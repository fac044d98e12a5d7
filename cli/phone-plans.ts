/** Imported by what reads phone numbers: the numbering plans that a relay has among its assets. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { usePlans } from '../src/template/filters/phone-library.ts';

usePlans(readFileSync(join(import.meta.dirname, '../assets/phones/plans.json'), 'utf8'));
