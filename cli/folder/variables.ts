import { asObject } from '../../src/lib/json.ts';
import { graphemesIn } from '../../src/lib/text.ts';
import type { Config, Source } from '../../src/config/compiled/config.ts';
import { templatesOf } from '../../shared/templates-of.ts';
import { knownPayloads, pathOfKey, knownWebhooks, type KnownWebhooks } from '../fixtures/webhooks.ts';
import { unknownVariables, type UnknownVariable } from '../fixtures/variables.ts';
import { locate } from './locate.ts';
import type { FolderProblem } from './problem.ts';
import type { LocalDocument, LocalFolder } from './read.ts';

/** A source with the webhooks that are known of it, and the variables that none of them has. */
export interface SourceVariables {
  readonly source: Source;
  readonly known: KnownWebhooks;
  readonly unknown: readonly UnknownVariable[];
}

export async function findUnknown(
  { folder, set }: Pick<LocalFolder, 'folder' | 'set'>,
  config: Config,
): Promise<readonly SourceVariables[]> {
  const found: SourceVariables[] = [];
  for (const source of config.sources.values()) {
    const known = await knownWebhooks(folder, source, set.providers);
    found.push({ source, known, unknown: unknownVariables(source, known.requests) });
  }
  return found;
}

export function warningsOf(
  sources: readonly Pick<SourceVariables, 'known' | 'unknown'>[],
  documents: readonly LocalDocument[],
): readonly FolderProblem[] {
  const all = sources.flatMap(({ known, unknown }) =>
    unknown.map((one) => describeUnknown(one, known.none, documents)),
  );
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

/** The warning about a variable. `none`: what does not have it, such as `no fixture of shop`. */
function describeUnknown(
  unknown: UnknownVariable,
  none: string,
  documents: readonly LocalDocument[],
): FolderProblem {
  const { is, parameter, variable, hint } = unknown;
  const then = parameter === 'when' ? 'the condition never holds there' : 'it is empty there';
  const { path, text, of } = placeOf(unknown, documents);
  const why = {
    missing: `which ${none} has: ${then}${hint}`,
    'without zone':
      'a time without a zone, which is read as UTC: write `datetime: "medium", "local"` if it is local',
    'without country':
      'digits without +, and the source has no `country`: set it if they are national, or write + before them if they begin with a country code',
  }[is];
  return locate(
    { path, message: `${placeIn(text, variable)}of the ${of} uses \`${variable}\`, ${why}` },
    documents,
  );
}

/** The path of a route's parameter, its text, where it has one, and what it is of. */
function placeOf(
  { source, route: name, parameter, variable }: UnknownVariable,
  documents: readonly LocalDocument[],
): { path: string; text: unknown; of: string } {
  const start = `sources.${source}`;
  if (name === null) return { path: `${start}.${parameter}`, text: undefined, of: `source ${source}` };
  const routes = routesOf(valueOf(documents, 'sources', source));
  const at = routes.findIndex((one) => one['name'] === name);
  const route = routes[at] ?? {};
  const path = `${start}.routes[${at}]`;
  const of = `route ${name}`;
  const send = asObject(route['send']);
  if (Object.hasOwn(send, parameter)) return { path: `${path}.send.${parameter}`, text: send[parameter], of };
  const shared = templatesOf(route)
    .map((template) => ({ name: String(template), texts: valueOf(documents, 'templates', String(template)) }))
    .filter(({ texts }) => Object.hasOwn(texts, parameter))
    .map((one) => ({
      path: `templates.${one.name}.${parameter}`,
      text: one.texts[parameter],
      of: `template ${one.name}`,
    }));
  return (
    shared.find(({ text }) => placeIn(text, variable) !== '') ??
    shared[0] ?? { path: `${path}.${parameter}`, text: route[parameter], of }
  );
}

const valueOf = (documents: readonly LocalDocument[], kind: string, name: string) =>
  asObject(documents.find((one) => one.kind === kind && one.name === name)?.value);

/** A place in a text as Liquid's errors have it; nothing when the text does not say the variable. */
function placeIn(text: unknown, variable: string): string {
  const at = typeof text === 'string' ? text.indexOf(variable) : -1;
  if (typeof text !== 'string' || at < 0) return '';
  const before = text.slice(0, at).split('\n');
  return `line ${before.length}, column ${graphemesIn(before.at(-1) ?? '') + 1}: `;
}

const UNKNOWN_NAME = /^unknown name "([^"]+)" \(did you mean "payload\.[^"]+"\?\).*$/;

/** True if a text is only in notifications of groups, or in digests: they have no `payload`. */
function isAboutSeveral(document: LocalDocument, path: string, sources: readonly LocalDocument[]): boolean {
  const routes = sources.flatMap((one) => routesOf(one.value).map((route, at) => ({ of: one, route, at })));
  const uses = routes.flatMap(({ of, route, at }) => {
    if (document.kind === 'templates')
      return [
        ...(templatesOf(route).includes(document.name) ? ['group' in route] : []),
        ...(route['digest'] === document.name ? [true] : []),
      ];
    if (of !== document || !path.startsWith(`routes[${at}].`)) return [];
    return [path.startsWith(`routes[${at}].digest`) || (path.includes('.send.') && 'group' in route)];
  });
  return uses.length > 0 && uses.every(Boolean);
}

function routesOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  const routes = asObject(value)['routes'];
  return Array.isArray(routes) ? routes.map(asObject) : [];
}

/** An error about a name that is not a root, with the path where a webhook has such a key. */
export function withPathOfName(
  problem: FolderProblem,
  { folder, documents, set }: LocalFolder,
): FolderProblem {
  const [, name] = UNKNOWN_NAME.exec(problem.message) ?? [];
  const document = documents.find(({ file }) => file === problem.file);
  if (name === undefined || document === undefined) return problem;
  const sources = documents.filter(
    (one) => one.kind === 'sources' && (document.kind === 'templates' || one === document),
  );
  const payloads = sources.flatMap((one) =>
    knownPayloads(folder, one.name, asObject(one.value)['provider'], set.providers),
  );
  const meant = pathOfKey(payloads, name) ?? `payload.${name}`;
  const message = isAboutSeveral(document, problem.path ?? '', sources)
    ? `unknown name "${name}": this text is about several events; in \`{% for x in new %}\` … \`{% endfor %}\` it is \`${meant.replace(/^payload/, 'x.item')}\``
    : `unknown name "${name}" (did you mean "${meant}"?): the fields of a webhook begin with \`payload\``;
  return { ...problem, message };
}
