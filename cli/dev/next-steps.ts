import { pasted, programName } from '../paste.ts';
import { DEFAULT_URL } from '../client.ts';
import type { Env } from '../io.ts';
import { PAGE_PATH, type DemoVars } from './demo.ts';
import * as z from 'zod/mini';
import { takesUsual } from '../../shared/new-source/form-source.ts';

/** A relay that `npm start` serves, and what is in force in it. */
interface ServedRelay {
  readonly url: string;
  readonly phoneUrl: string;
  readonly isDemo: boolean;
  readonly link: string;
  readonly sources: Readonly<Record<string, unknown>>;
  readonly demo: DemoVars;
  /** The tenant whose documents are published; null: they are no tenant's. */
  readonly tenant: string | null;
  readonly log: string;
  readonly env: Env;
}

/** The end of what `npm start` prints: what a person does next, as commands that can be pasted. */
export function nextSteps(relay: ServedRelay): readonly string[] {
  const { url, phoneUrl, isDemo, sources, demo, tenant, env } = relay;
  const value = shellValue(demo);
  const token = value('ADMIN_TOKEN');
  const context = { program: programName(env), url: url === DEFAULT_URL ? undefined : url };
  const [first] = Object.keys(sources);
  const post = postCommand(url, sources, value, (name) => demo.originOf(name) !== undefined);
  const own = tenant === null ? context : { ...context, tenant };
  const command = (what: string, ...args: readonly string[]): readonly string[] => [
    `  # ${what}`,
    `  ${pasted(args[0] === 'init' ? own : context, ...args)}`,
  ];
  return [
    `The phone, in a browser: ${phoneUrl}`,
    ...(isDemo ? [`A form that messages it: ${phoneUrl}${PAGE_PATH}`] : []),
    `The admin API: ${url}/admin/api/v1/openapi.json`,
    '',
    'Next, in a second terminal, in this folder:',
    `  export HOOKBELL_TOKEN=${demo.originOf('ADMIN_TOKEN') === 'demo' ? token : `"${token}"`}`,
    ...command('add a source of your own; it asks, and shows what to set at the provider', 'init'),
    ...command('watch webhooks arrive and messages leave', 'tail'),
    ...(post === null ? [] : ['  # post a webhook', `  ${post}`]),
    ...(post === null && first !== undefined
      ? command(
          `see the messages that ${first} makes from its provider's samples`,
          'preview',
          first,
          '--samples',
        )
      : []),
    '',
    `The console, in a browser: ${url}/admin`,
    'This link signs you in, once, within 10 minutes:',
    `  ${relay.link}`,
    '',
    `The log is ${relay.log}. Ctrl-C stops everything.`,
  ];
}

const source = z.object({
  provider: z._default(z.string(), 'generic'),
  verify: z.object({
    scheme: z.string(),
    in: z.optional(z.string()),
    name: z._default(z.string(), ''),
    prefix: z._default(z.string(), ''),
  }),
  secrets: z._default(z.array(z.string()), []),
});

const form = z.object({
  provider: z.literal('html-form'),
  origins: z._default(z.union([z.array(z.string()), z.literal('any')]), ['http://localhost']),
  fields: z._default(z.record(z.string(), z.looseObject({})), {}),
});

/** Fits both the demo's contact form and the routes that `init` writes for one's own sender. One line each. */
const FORM = ['-d type=contact -d name=Ada -d email=ada@example.com', `-d 'message=Is anybody there?'`];

/** Continues a command on a new line, with the indentation of the list of next steps. */
const NEXT_LINE = ' \\\n    ';

/**
 * The `curl` that posts to the first source that takes a webhook without a signature, in lines that a terminal of 80
 * columns does not break; null if there is none. `isSet` says which secrets the relay has.
 */
export function postCommand(
  url: string,
  sources: Readonly<Record<string, unknown>>,
  value: ShellValue,
  isSet: (name: string) => boolean,
): string | null {
  for (const [id, document] of Object.entries(sources)) {
    const request = fromPage(document) ?? fromSender(document, value, isSet);
    if (request === null) continue;
    const [address, ...options] = request;
    return [`curl ${quoted(`${url}/hooks/${id}${address}`)}`, ...options, ...FORM].join(NEXT_LINE);
  }
  return null;
}

/** What follows the source's address, and the options of `curl`. */
type Request = readonly [address: string, ...options: readonly string[]];

/** A post as a page makes it. Null if the source is not a form with the usual fields. */
function fromPage(document: unknown): Request | null {
  const { data } = form.safeParse(document);
  if (data === undefined || !takesUsual(data.fields)) return null;
  const [origin] = data.origins === 'any' ? [] : data.origins;
  return origin === undefined ? [''] : ['', `-H "origin: ${escaped(origin)}"`];
}

function fromSender(document: unknown, value: ShellValue, isSet: (name: string) => boolean): Request | null {
  const { data } = source.safeParse(document);
  if (data?.provider !== 'generic') return null;
  const [secret = ''] = data.secrets;
  const { scheme, in: place, name, prefix } = data.verify;
  if (scheme === 'none') return [''];
  if (!isSet(secret)) return null;
  if (scheme === 'basic') return ['', `-u "${value(secret)}"`];
  if (scheme !== 'token') return null;
  if (place === 'path') return [`/${value(secret, true)}`];
  if (place === 'query')
    return [`?${encodeURIComponent(name)}=${encodeURIComponent(prefix)}${value(secret, true)}`];
  return place === 'header' ? ['', `-H "${escaped(`${name}: ${prefix}`)}${value(secret)}"`] : null;
}

/** An address needs quotes where the shell puts something in, or would read `?`. */
const quoted = (address: string): string => (/[$?]/.test(address) ? `"${address}"` : address);

/** A person's text, between double quotes. */
const escaped = (text: string): string => text.replaceAll(/["$`\\]/g, '\\$&');

/** Writes the value of a variable in a command that is pasted into a shell. */
type ShellValue = (name: string, isInAddress?: boolean) => string;

/** For between double quotes. Only a value of the demo's is written out; a person's own is read by the shell. */
export const shellValue =
  ({ vars, originOf }: DemoVars): ShellValue =>
  (name, isInAddress = false) => {
    const origin = originOf(name);
    if (origin === 'demo') return vars[name] ?? '';
    const value = `process.env.${name}`;
    const printed = `-p '${isInAddress ? `encodeURIComponent(${value})` : value}'`;
    if (origin === '.dev.vars') return `$(node --env-file=.dev.vars ${printed})`;
    return isInAddress ? `$(node ${printed})` : `$${name}`;
  };
