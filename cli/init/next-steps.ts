import { dirname, sep } from 'node:path';
import { plainMarkdown } from '../markdown.ts';
import type { Output } from '../output.ts';
import { isThisMachine } from '../relay/profile.ts';
import { DEFAULT_FOLDER } from '../folder/kinds.ts';
import { count, safe } from '../text.ts';
import type { NeededSecret, Plan } from './documents.ts';

/** What a person does after `init`. */
interface NextSteps {
  readonly json: {
    readonly source: string;
    readonly provider: string;
    readonly url: string;
    readonly secrets: readonly NeededSecret[];
    readonly setup: string;
    readonly next: readonly string[];
  };
  readonly providerName: string;
  readonly routes: readonly (readonly [name: string, to: string])[];
  readonly isLocal: boolean;
}

interface Facts {
  readonly folder: string;
  readonly url: string;
  readonly secrets: readonly NeededSecret[];
  /** The provider sends its key by pairing, so the secret is set last. */
  readonly isPaired: boolean;
}

export function nextSteps(plan: Plan, { folder, url, secrets, isPaired }: Facts): NextSteps {
  const { provider, starter, source } = plan;
  const verify: unknown = starter.source?.['verify'];
  const inPath = typeof verify === 'object' && verify !== null && Reflect.get(verify, 'in') === 'path';
  const address = `${url}/hooks/${source}`;
  const where = folder === DEFAULT_FOLDER ? '' : ` ${folder}`;
  return {
    json: {
      source,
      provider: provider.id,
      url: inPath ? `${address}/<${secrets[0]?.name ?? 'secret'}>` : address,
      secrets,
      setup: starter.setup.replaceAll('https://<your worker>', url).replaceAll('<source>', source),
      next: [
        `hookbell check${where}`,
        `hookbell push${where}`,
        ...(isPaired ? [`hookbell pair ${source}`] : []),
        `hookbell preview ${source} --samples`,
        'hookbell tail',
      ],
    },
    providerName: provider.name,
    routes: starter.routes.map(({ name, to }) => [String(name), [to].flat().map(String).join(', ')] as const),
    isLocal: isThisMachine(url),
  };
}

const isFixture = (file: string): boolean => file.split(sep).includes('fixtures');

export function showNextSteps(
  out: Output,
  { json, providerName, routes, isLocal }: NextSteps,
  files: readonly string[],
): void {
  const title = (text: string): void => out.line(`\n${out.style('bold', text)}`);
  const [fixtures, documents] = [files.filter(isFixture), files.filter((file) => !isFixture(file))];
  for (const file of documents) out.line(`${out.style('green', '✓')} ${file}`);
  if (fixtures[0] !== undefined)
    out.line(`${out.style('green', '✓')} ${dirname(fixtures[0])}: ${count(fixtures.length, 'file')}`);
  if (files.length === 0) out.line('everything is there already');
  title('Who gets what');
  out.table([{ title: 'ROUTE' }, { title: 'GOES TO', gives: true }], routes);
  title(`At ${providerName}`);
  out.line(`Address: ${json.url}`);
  if (isLocal)
    out.note(
      out.styleNote('dim', 'This machine cannot be reached from outside; for a deployed relay use --url.'),
    );
  for (const line of plainMarkdown(json.setup, out.columns)) out.line(safe(line));
  title('Secrets');
  for (const { name, hint } of json.secrets) {
    for (const line of plainMarkdown(`${name}: ${hint}`, out.columns)) out.line(line);
    out.line(`  here      ${name}="…" as a line in .dev.vars; start again`);
    out.line(`  deployed  npx wrangler secret put ${name}`);
  }
  title('Next');
  for (const command of json.next) out.line(`  ${command}`);
}
