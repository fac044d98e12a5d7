import { dirname, sep } from 'node:path';
import { plainMarkdown } from '../markdown.ts';
import type { Output } from '../output.ts';
import { publishCommand, type Pasting } from '../paste.ts';
import { secretSteps } from '../place.ts';
import { count, safe, wrap } from '../text.ts';
import {
  isPairedLater,
  type NeededSecret,
  addressOfSource,
  setUpSteps,
} from '../../shared/new-source/plan.ts';
import { ownValue } from '../../src/lib/json.ts';
import { formHtml } from '../../shared/new-source/form-html.ts';
import type { NewSource } from './ask.ts';
import { countryName } from './receivers.ts';
import { hasTexts } from '../../shared/new-source/likely.ts';

/** How a secret is set where the relay runs, each step as a text. */
export const stepsToSet = (name: string, { place, pasteIn }: Pick<Pasting, 'pasteIn' | 'place'>) =>
  secretSteps(place, name).map((step) => pasteIn(step));

interface NextStepFacts extends Pick<Pasting, 'paste' | 'pasteIn' | 'place'> {
  /** The folder as it was given; null: the one that commands use. */
  readonly folder: string | null;
  readonly file: string;
  readonly url: string;
  readonly secrets: readonly NeededSecret[];
  /** Returns the receivers in a list, for people; undefined if it is not a list. */
  readonly receiversOf: (list: string) => readonly string[] | undefined;
}

export type NextSteps = ReturnType<typeof nextSteps>;

export function nextSteps(plan: Omit<NewSource, 'samples' | 'secondLine'>, facts: NextStepFacts) {
  const { provider, starter, source, country, locale, timezone } = plan;
  const { url, secrets, file, pasteIn } = facts;
  const secret = secrets[0]?.name;
  const isPaired = isPairedLater(plan);
  const form = formHtml({ provider: provider.id, ...starter.source, locale }, `${url}/hooks/${source}`);
  const named = starter.secret === undefined ? null : ([starter.secret.name, secret ?? ''] as const);
  return {
    json: {
      source,
      provider: provider.id,
      url: addressOfSource(url, source, starter.source?.['verify'], secret),
      ...(country !== undefined && { country }),
      ...(locale !== undefined && { locale }),
      ...(timezone !== undefined && { timezone }),
      secrets: secrets.map(({ name, hint }, at) => ({
        name,
        hint: pasteIn(hint),
        set: [
          ...stepsToSet(name, facts),
          ...(isPaired && at === 0 ? [`write \`secrets: [${name}]\` into ${file}`] : []),
        ],
      })),
      setup: pasteIn(setUpSteps(starter.setup, url, source, named)),
      ...(form !== null && { form }),
      next: commands(source, isPaired, facts),
    },
    providerName: provider.name,
    routes: starter.routes.map((route) => [String(route['name']), whoGets(route, facts)] as const),
    /** The number of commands in `next` to run before the provider is set up, as the secret exists only after that. */
    before: isPaired ? 3 : 0,
    note: noteOn(facts),
    hints: [
      ...(locale !== undefined && !hasTexts(locale, Object.keys(starter.texts))
        ? [`The texts are in English until you translate them. Amounts and times are in ${locale}.`]
        : []),
      ...(country !== undefined && timezone === undefined
        ? [
            `No time zone is known for ${countryName(country)}, so times are in UTC. Write \`timezone\` into ${file}.`,
          ]
        : []),
    ],
  };
}

function noteOn({ place, url }: NextStepFacts) {
  if (place.at === 'here')
    return 'This machine cannot be reached from outside. For a deployed relay, give its address with --url.';
  return url.includes('<') ? 'Its relay is not deployed yet: the deploy prints the address.' : null;
}

/** A provider that pairs hands over its secret after the first publish; others show it, or take one, before that. */
function commands(source: string, isPaired: boolean, facts: NextStepFacts): readonly string[] {
  const { paste, folder } = facts;
  const where = folder === null ? [] : [folder];
  const first = [paste('check', ...where), publishCommand(facts, ...where)];
  const again = isPaired ? [paste('pair', source), publishCommand(facts, ...where)] : [];
  return [...first, ...again, paste('preview', source, '--samples'), paste('tail')];
}

/** With the step that follows if nobody acknowledges. */
const whoGets = ({ to, escalate }: Readonly<Record<string, unknown>>, facts: NextStepFacts): string =>
  [
    receivers(to, facts),
    ...[escalate ?? []]
      .flat()
      .map((step) => `after ${String(ownValue(step, 'after'))} ${receivers(ownValue(step, 'to'), facts)}`),
  ].join('; ');

/** `team (+49 1512 3456789)`, or as the route has it. */
const receivers = (to: unknown, { receiversOf }: NextStepFacts): string =>
  [to]
    .flat()
    .map(String)
    .map((one) => {
      const all = receiversOf(one);
      return all === undefined ? one : `${one} (${all.join(', ')})`;
    })
    .join(', ');

const isFixture = (file: string): boolean => file.split(sep).includes('fixtures');

/** `isCreating`: `create-hookbell` runs `init`, and says by itself what comes next. */
export function showNextSteps(
  out: Output,
  steps: NextSteps,
  files: readonly string[],
  isCreating: boolean,
): void {
  const { json, routes, before, hints } = steps;
  showFiles(out, files);
  showRoutes(out, routes);
  const { country = 'none', locale = 'en', timezone = 'UTC' } = json;
  const facts = `Country of numbers without a country code: ${country}. Language: ${locale}. Time zone: ${timezone}.`;
  out.wrapped(facts);
  for (const hint of hints) for (const line of wrap(hint, out.columns)) out.note(out.styleNote('dim', line));
  const [first, then] = [json.next.slice(0, before), json.next.slice(before)];
  if (first.length > 0) showCommands(out, 'First', first);
  showSetup(out, steps);
  if (!isCreating || first.length > 0) showCommands(out, first.length > 0 ? 'Then' : 'Next', then);
}

const showTitle = (out: Output, text: string): void => out.line(`\n${out.style('bold', text)}`);

/** The files that were written; those of fixtures only by their number. */
export function showFiles(out: Output, files: readonly string[]): void {
  for (const file of files) if (!isFixture(file)) out.done(file);
  for (const [folder, all] of Map.groupBy(files.filter(isFixture), (file) => dirname(file)))
    out.done(`${folder}: ${count(all.length, 'file')}`);
  if (files.length === 0) out.line('nothing to write: all files exist');
}

export function showRoutes(out: Output, routes: NextSteps['routes']): void {
  showTitle(out, 'Who gets what');
  out.table([{ title: 'ROUTE' }, { title: 'GOES TO', wraps: true }], routes);
}

export function showSetup(out: Output, { json, providerName, note }: NextSteps): void {
  showTitle(out, `${providerName}: set it up`);
  out.line(`Address: ${json.url}`);
  if (note !== null) for (const line of wrap(note, out.columns)) out.note(out.styleNote('dim', line));
  for (const line of plainMarkdown(json.setup, out.columns)) out.line(safe(line));
  if (json.form !== undefined) {
    const { html, script } = json.form;
    // Whole lines: they are copied.
    showCommands(out, 'The HTML for your page', html.split('\n'));
    if (script !== '')
      showCommands(
        out,
        'Optional: a script that sends the form as JSON, so that the visitor stays on the page',
        script.split('\n'),
      );
  }
  if (json.secrets.length > 0) showTitle(out, json.secrets.length === 1 ? 'The secret' : 'The secrets');
  for (const { name, hint, set } of json.secrets) {
    for (const line of plainMarkdown(`${name}: ${hint}`, out.columns)) out.line(line);
    for (const step of set) out.line(`  ${step}`);
  }
}

export function showCommands(out: Output, title: string, commands: readonly string[]): void {
  showTitle(out, title);
  for (const command of commands) out.line(`  ${command}`);
}
