import { isLoopback } from '../../src/lib/url.ts';
import { ok } from '../../src/lib/result.ts';
import { startCommand } from '../built.ts';
import { failed, misused, type CommandResult } from '../failure.ts';
import type { Env } from '../io.ts';
import type { Output } from '../output.ts';

export interface Profile {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
}

/** The address that `npm start` serves. */
export const DEFAULT_URL = 'http://localhost:8787';

/** The token of a relay that `npm start` serves, unless somebody has set one. */
export const DEMO_TOKEN = 'demo-admin-token';

const API_PATH = '/admin/api/v1';

/** The relay's address: `--url`, else `HOOKBELL_URL`, else this machine. */
export function relayUrl(option: string | undefined, fromEnv: string | undefined): CommandResult<string> {
  const [from, text] = option === undefined ? ['HOOKBELL_URL', fromEnv || DEFAULT_URL] : ['--url', option];
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol))
    return misused(`${from} must be the relay's address, such as https://hookbell.example.workers.dev`);
  if (url.username !== '' || url.password !== '')
    return misused(`${from} must not contain a login; put the token into HOOKBELL_TOKEN`);
  const path = url.pathname.replace(/\/+$/, '');
  return ok(url.origin + (path.endsWith(API_PATH) ? path.slice(0, -API_PATH.length) : path));
}

/**
 * The relay to call. The token comes only from the environment: everybody on the machine can read arguments. Warns of an
 * address to which it would be sent without https.
 */
export function readProfile(option: string | undefined, env: Env, out: Output): CommandResult<Profile> {
  const url = relayUrl(option, env['HOOKBELL_URL']);
  if (!url.ok) return url;
  const token = env['HOOKBELL_TOKEN']?.trim() ?? '';
  if (token === '') {
    const demo = isThisMachine(url.value)
      ? ` (after \`${startCommand()}\`: export HOOKBELL_TOKEN=${DEMO_TOKEN})`
      : '';
    return failed(
      `HOOKBELL_TOKEN is not set: give it the value of the relay's ADMIN_TOKEN, OPERATOR_TOKEN or VIEWER_TOKEN${demo}`,
    );
  }
  if (!/^[\u0021-\u007e]+$/.test(token))
    return failed('HOOKBELL_TOKEN has characters that a token cannot have: copy it again');
  if (!url.value.startsWith('https:') && !isThisMachine(url.value))
    out.note(out.styleNote('yellow', `the token is sent to ${url.value} unencrypted: use https`));
  return ok({ url: url.value, token });
}

export const isThisMachine = (url: string): boolean => isLoopback(new URL(url).hostname);
