import type { Source } from '../../../config/compiled/config.ts';
import type { FormRules } from '../../../config/compiled/form-rules.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import type { Spam } from '../../../registry/spam.ts';
import type { OwnFields } from '../checked.ts';
import { MOMENT_LASTS_MS, readMoment } from './moment.ts';
import { askTurnstile } from './turnstile.ts';

/** A form whose fields have no faults. */
interface Judged {
  readonly source: Pick<Source, 'id' | 'dedupe'>;
  readonly rules: FormRules;
  readonly own: OwnFields;
  /** The payload for routes. */
  readonly payload: unknown;
  readonly receivedAt: number;
}

/** The input of a verdict. */
interface Court {
  readonly env: object;
  /** The secret of Turnstile; undefined if it is not set. */
  readonly turnstileSecret: string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

/** The form cannot be judged now, and this is not the visitor's fault. */
export interface NotJudged {
  readonly code: 'secret_missing' | 'unavailable';
  readonly detail: string;
}

/**
 * Returns why a form is spam; null if it looks like a person's. Cheap checks come first; Turnstile, which needs a call
 * to another server, comes last.
 */
export async function judge(form: Judged, court: Court): Promise<Result<Spam | null, NotJudged>> {
  const { source, rules, own, payload, receivedAt } = form;
  const { honeypot, links, minMs, turnstile } = rules.spam;
  if (own.isTrapped)
    return spam('honeypot', `the field \`${honeypot}\`, which people do not see, was filled in`);
  const found = links === null ? 0 : countLinks(textsOf(payload).join('\n'));
  if (links !== null && found > links) return spam('links', `${found} links, but \`links\` allows ${links}`);
  const hurry = minMs === null ? null : await tooFast(form, minMs, court);
  if (hurry !== null) return spam('time', hurry);
  if (turnstile === null) return ok(null);
  const { turnstileSecret: secret, fetch } = court;
  if (secret === undefined) return err({ code: 'secret_missing', detail: `not set: ${turnstile}` });
  // The API takes each token once, or again with the same key: for as long as the same form is one event.
  const period = Math.floor(receivedAt / Math.max(1, source.dedupe.bodyMs));
  const request = `${period}\n${JSON.stringify(payload)}`;
  const { origins } = rules;
  const vouched = await askTurnstile({ secret, token: own.token, form: request, origins }, { fetch });
  if (vouched.ok) return ok(null);
  const { by, why } = vouched.error;
  return by === 'visitor'
    ? spam('turnstile', why)
    : err({ code: 'unavailable', detail: `Turnstile: ${why}` });
}

const spam = (kind: Spam['kind'], detail: string): Result<Spam, never> => ok({ kind, detail });

async function tooFast(
  { source, own: { moment }, receivedAt }: Judged,
  minMs: number,
  { env }: Court,
): Promise<string | null> {
  if (moment === '') return 'it does not say when its page was opened';
  const at = await readMoment(env, source.id, moment);
  if (at === null) return 'the time when its page was opened is not from this source';
  const age = receivedAt - at;
  if (age > MOMENT_LASTS_MS) return 'its page was opened more than a day earlier';
  return age < minMs
    ? `it was sent ${Math.max(0, age) / 1_000} s after its page was opened, but \`min_seconds\` is ${minMs / 1_000}`
    : null;
}

/** Returns the texts of a form that was checked. Names of files are left out, because they look like hosts. */
const textsOf = (payload: unknown): readonly string[] =>
  typeof payload === 'object' && payload !== null
    ? Object.values(payload).filter((value) => typeof value === 'string')
    : [];

/** The beginning of a web address, wherever it is. */
const ADDRESS = /https?:\/\/(?:www\.)?|www\./gi;

/**
 * A host by itself, which chats turn into a link: `shop.example`. Only in small letters: `ok.Thanks` is the end of a
 * sentence.
 */
const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?:[/?#:].*)?$/;

const BETWEEN_WORDS = /[\s<>"'()[\],;!|]+/;

/** Counts the links in a text: addresses, and hosts by themselves. E-mail addresses do not count. */
export function countLinks(text: string): number {
  const addresses = text.match(ADDRESS)?.length ?? 0;
  const hosts = text.split(BETWEEN_WORDS).filter(isHost);
  return addresses + hosts.length;
}

const isHost = (word: string): boolean => {
  const host = word.replace(/[.:?]$/, '');
  return host.search(ADDRESS) < 0 && HOST.test(host);
};
