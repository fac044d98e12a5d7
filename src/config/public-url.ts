import { whyNotPublic } from '../lib/url.ts';
import { variable } from '../lib/secret.ts';
import { type FieldError, fieldError } from '../lib/problem.ts';
import type { Config } from './compiled/config.ts';

/** The longest address of a relay, so that a link has a known maximum length. */
export const MAX_PUBLIC_URL = 64;

/** As phones reach this relay, without a slash at its end. Null if `PUBLIC_URL` cannot be used, or neither address is known. */
export function publicUrl(env: object, publishedAt: string | null = null): string | null {
  const url = URL.parse(variable(env, 'PUBLIC_URL') || (publishedAt ?? ''));
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') return null;
  if (url.username !== '' || url.password !== '') return null;
  const address = (url.origin + url.pathname).replace(/\/$/, '');
  return address.length > MAX_PUBLIC_URL ? null : address;
}

/** An address that only this machine or network reaches does not replace one that phones can reach. */
export const urlAfter = (known: string | null, publishedAt: string | null): string | null =>
  publishedAt === null || (known !== null && isLocal(publishedAt) && !isLocal(known)) ? known : publishedAt;

const isLocal = (url: string): boolean => whyNotPublic(new URL(url).hostname) !== null;

/** Errors for routes with actions and accounts with a canary, if no address for their links is known. */
export function publicUrlErrors(config: Config, env: Env, publishedAt: string | null): readonly FieldError[] {
  return publicUrl(env, publishedAt) === null
    ? withLinks(config).map((path) => fieldError(path, 'required', MISSING))
    : [];
}

/** A warning for the first of them, if nobody has chosen the address and phones may not reach it. */
export function publicUrlWarnings(config: Config, env: Env, publishedAt: string | null) {
  if (publishedAt === null || publicUrl(env) !== null || !isLocal(publishedAt)) return [];
  const message = `has links. They begin with ${publishedAt}, the address of this publish: set the variable PUBLIC_URL to the address of this relay as phones reach it`;
  return withLinks(config)
    .slice(0, 1)
    .map((path) => fieldError(path, 'unreachable', message));
}

const withLinks = ({ accounts, sources }: Config): readonly string[] => [
  ...[...accounts].flatMap(([name, { canary }]) => (canary === null ? [] : [`accounts.${name}.canary`])),
  ...[...sources.values()].flatMap(({ id, routes }) =>
    routes.flatMap(({ actions }, index) =>
      actions.length === 0 ? [] : [`sources.${id}.routes[${index}].actions`],
    ),
  ),
];

const MISSING = `needs the variable PUBLIC_URL for its links: the address of this relay as phones reach it, such as https://hooks.example.com, of at most ${MAX_PUBLIC_URL} characters and without a query`;
