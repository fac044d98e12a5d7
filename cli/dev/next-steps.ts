import { pasted, programName } from '../paste.ts';
import { DEFAULT_URL } from '../relay/profile.ts';
import type { DemoVars } from './demo-vars.ts';
import { postCommand, shellValue } from './post-command.ts';

/** A relay that `npm start` serves, and what is in force in it. */
interface ServedRelay {
  readonly url: string;
  readonly phoneUrl: string;
  /** A page with the demo's form; null: the demo is not in force. */
  readonly pageUrl: string | null;
  /** Signs in to the console. */
  readonly link: string;
  readonly sources: Readonly<Record<string, unknown>>;
  readonly demo: DemoVars;
  /** The tenant whose documents are published; null: they are no tenant's. */
  readonly tenant: string | null;
  readonly log: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The end of what `npm start` prints: what a person does next, as commands that can be pasted. */
export function nextSteps({
  url,
  phoneUrl,
  pageUrl,
  link,
  sources,
  demo,
  tenant,
  log,
  env,
}: ServedRelay): readonly string[] {
  const value = shellValue(demo);
  const context = { program: programName(env), url: url === DEFAULT_URL ? undefined : url };
  const [first] = Object.keys(sources);
  const post = postCommand(url, sources, value, (name) => demo.originOf(name) !== undefined);
  const own = tenant === null ? context : { ...context, tenant };
  const command = (what: string, ...args: readonly string[]): readonly string[] => [
    `  # ${what}`,
    `  ${pasted(args[0] === 'init' ? own : context, ...args)}`,
  ];
  const preview = (id: string): readonly string[] =>
    command(`see the messages that ${id} makes from its provider's samples`, 'preview', id, '--samples');
  return [
    `The phone, in a browser: ${phoneUrl}`,
    ...(pageUrl === null ? [] : [`A form that messages it: ${pageUrl}`]),
    `The admin API: ${url}/admin/api/v1/openapi.json`,
    '',
    'Next, in a second terminal, in this folder:',
    `  export HOOKBELL_TOKEN=${tokenOf(demo, value('ADMIN_TOKEN'))}`,
    ...command('add a source of your own; it asks, and shows what to set at the provider', 'init'),
    ...command('watch webhooks arrive and messages leave', 'tail'),
    ...(post === null ? [] : ['  # post a webhook', `  ${post}`]),
    ...(post === null && first !== undefined ? preview(first) : []),
    '',
    `The console, in a browser: ${url}/admin`,
    'This link signs you in, once, within 10 minutes:',
    `  ${link}`,
    '',
    `The log is ${log}. Ctrl-C stops everything.`,
  ];
}

const tokenOf = ({ originOf }: DemoVars, value: string): string =>
  originOf('ADMIN_TOKEN') === 'demo' ? value : `"${value}"`;
