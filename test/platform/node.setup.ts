/** What workerd's Web Crypto has beyond the standard, and the facts that come to an isolate with its configuration. */
import { timingSafeEqual } from 'node:crypto';
import '../../cli/facts.ts';

Object.assign(crypto.subtle, { timingSafeEqual });
