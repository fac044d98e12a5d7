/** Imported by what reads phone numbers and sources: the facts that a relay has among its assets. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFacts, useFacts } from '../src/config/compiled/facts.ts';

useFacts(parseFacts(readFileSync(join(import.meta.dirname, '../assets/facts.json'), 'utf8')));
