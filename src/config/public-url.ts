import { variable } from '../lib/secret.ts';
import type { FieldError } from '../lib/problem.ts';
import type { Config } from './config.ts';

/** The longest address, without what follows it, so that a link has a known length at most. */
export const MAX_PUBLIC_URL = 64;

/** The address of this relay as phones reach it, without a slash at its end; null: `PUBLIC_URL` is not set, or is none. */
export function publicUrl(env: object): string | null {
  const text = variable(env, 'PUBLIC_URL') ?? '';
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') return null;
  if (url.username !== '' || url.password !== '') return null;
  const address = (url.origin + url.pathname).replace(/\/$/, '');
  return address.length > MAX_PUBLIC_URL ? null : address;
}

/** Routes with actions and accounts with a canary, where nothing says what their links begin with. */
export function publicUrlErrors({ accounts, sources }: Config, env: Env): readonly FieldError[] {
  if (publicUrl(env) !== null) return [];
  const canaries = [...accounts].flatMap(([name, { canary }]) =>
    canary === null ? [] : [{ path: `accounts.${name}.canary`, message: MISSING }],
  );
  const actions = [...sources.values()].flatMap(({ id, routes }) =>
    routes.flatMap(({ actions }, index) =>
      actions.length === 0 ? [] : [{ path: `sources.${id}.routes[${index}].actions`, message: MISSING }],
    ),
  );
  return [...canaries, ...actions];
}

const MISSING = `needs the variable PUBLIC_URL for its links: the address of this relay as phones reach it, such as https://hooks.example.com, of at most ${MAX_PUBLIC_URL} characters and without a query`;
