import { realpathSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import type { Failure } from './failure.ts';
import type { Env } from './io.ts';
import { forPlace, type RelayPlace } from './place.ts';
import { DEFAULT_URL, relayUrl } from './client.ts';
import { quoted } from './text.ts';

/** The parts of a command line that reaches the same relay as this one. */
export interface PasteContext {
  readonly program: string;
  readonly tenant?: string | undefined;
  /** The relay's address, when it is not the default one. */
  readonly url?: string | undefined;
}

/** Makes `cli.paste` for a run with these options and variables. */
export function pasteContext(options: { readonly url?: string; readonly tenant?: string }, env: Env) {
  // One that is refused may hold a password.
  const url = relayUrl(options.url, env['HOOKBELL_URL']);
  return {
    program: programName(env),
    tenant: options.tenant,
    url: options.tenant === undefined && url.ok && url.value !== DEFAULT_URL ? url.value : undefined,
  };
}

/**
 * A command of this program as it can be pasted into a shell. `args` are single words, before quoting:
 * `pasted(context, 'push', 'my folder')` gives `npx hookbell push 'my folder'`. It never holds a token.
 */
export const pasted = (context: PasteContext, ...args: readonly string[]): string =>
  [start(context, args[0]), ...args.map(quoted)].join(' ');

/** These call no relay, or name their own. */
const WITHOUT_RELAY = new Set(['dev', 'providers', 'tenant', 'help']);
/** These work on a folder alone: a tenant's is another. */
const WITHOUT_ADDRESS = new Set(['check']);

function start({ program, tenant, url }: PasteContext, command = ''): string {
  if (WITHOUT_RELAY.has(command)) return program;
  if (tenant !== undefined) return `${program} --tenant ${quoted(tenant)}`;
  return url === undefined || WITHOUT_ADDRESS.has(command)
    ? program
    : `HOOKBELL_URL=${quoted(url)} ${program}`;
}

/** The next steps that a run prints, for a relay that runs at `place`. */
export const pasting = (context: PasteContext, place: RelayPlace) => ({
  /** A command of this program as the person can paste it, for the same relay: `cli.paste('push', folder)`. */
  paste: (...args: readonly string[]): string => pasted(context, ...args),
  /** A text of the relay with such commands, and with what to do where it runs. A failure's texts need no call. */
  pasteIn: (text: string): string => pastedIn(context, forPlace(place, text)),
  place,
});

export type Pasting = Readonly<ReturnType<typeof pasting>>;

/** The command that publishes a folder; a tenant's secrets and code go along with it. */
export const publishCommand = (
  { paste, place }: Pick<Pasting, 'paste' | 'place'>,
  ...folder: readonly string[]
) => (place.at === 'tenant' ? paste('tenant', 'deploy', place.name) : paste('push', ...folder));

/** A failure with texts whose commands can be pasted. */
export const pastable = ({ pasteIn }: Pick<Pasting, 'pasteIn'>, failure: Failure): Failure => ({
  ...failure,
  message: pasteIn(failure.message),
  ...(failure.details !== undefined && { details: failure.details.map((one) => pasteIn(one)) }),
});

/** A command in a text that was made without a context: `hookbell …` in backticks, or `npx hookbell …`. */
const COMMAND = /(?<!HOOKBELL_URL=\S+ )(?:\bnpx |(?<=`))hookbell (?=([a-z]+))/g;

/** A text of the relay, or of a function that knows nothing of the run, with its commands as they can be pasted. */
export const pastedIn = (context: PasteContext, text: string): string =>
  text.replaceAll(COMMAND, (_, command: string) => `${start(context, command)} `);

const BIN = join(import.meta.dirname, '..', 'bin', 'hookbell.mjs');

/**
 * `hookbell` where a shell finds this very program by that name, else `npx hookbell`. npm puts its own folders into the
 * PATH of what it starts, and the shell that the command is pasted into does not have them.
 */
export function programName(env: Env, bin = BIN): string {
  const byNpm = env['npm_command'] !== undefined || env['npm_lifecycle_event'] !== undefined;
  const own = realpath(bin);
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = folders
    .filter((folder) => !byNpm || !folder.endsWith(join('node_modules', '.bin')))
    .map((folder) => realpath(folder + sep + 'hookbell'))
    .find((file) => file !== null);
  return found !== undefined && found === own ? 'hookbell' : 'npx hookbell';
}

function realpath(file: string): string | null {
  try {
    return realpathSync(file);
  } catch {
    return null;
  }
}
