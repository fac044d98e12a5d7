/** Imported by what verifies signatures: the verifier is made for workerd, whose crypto has this, and Node's module has it. */
import { timingSafeEqual } from 'node:crypto';

Object.assign(crypto.subtle, { timingSafeEqual });
