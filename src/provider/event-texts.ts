import { compileText } from '../template/text.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { CREDENTIAL_HEADER, type Lookup, type LookupPlace } from './lookup.ts';

/** One step of a path: `.name`, `[0]` or `["a name"]`. */
const STEP = /\.([A-Za-z_][\w-]*)|\[(\d+)\]|\["([^"\\.]+)"\]|\['([^'\\.]+)'\]/y;
const OUTPUT = /\{\{-?(.*?)-?\}\}/gs;

/**
 * Reads the texts of `event.id` and `event.type` (`"{{ payload.type }}:{{ payload.id }}"`) as lookups: the first text
 * whose parts are all there counts. Plain paths become places, which need no template at runtime; anything else stays a
 * text. `roots`: what a text may name.
 */
export function lookupsOf(
  texts: readonly string[],
  roots: readonly string[],
): Result<readonly Lookup[], string> {
  const found: Lookup[] = [];
  for (const text of texts) {
    const compiled = compileText(text, roots);
    if (!compiled.ok) return compiled;
    if (compiled.value.expressions.length === 0)
      return err('names nothing of the event, such as `{{ payload.id }}`');
    const places = compiled.value.expressions.flatMap((expression) => alternatives(expression) ?? []).flat();
    const credential = places.find((place) => place.startsWith('header:') && CREDENTIAL_HEADER.test(place));
    if (credential !== undefined)
      return err(
        `must not name the header \`${credential.slice('header:'.length)}\`: it is a credential, and would be stored`,
      );
    found.push(...(plain(text) ?? [{ text }]));
  }
  return ok(found);
}

/** `{{ a | default: b }}` and `{{ a }}:{{ b }}` as places; null for any other text. */
function plain(text: string): readonly Lookup[] | null {
  const outputs = [...text.matchAll(OUTPUT)].map(([, inner = '']) => alternatives(inner));
  const isJoined = text.replaceAll(OUTPUT, '{}') === outputs.map(() => '{}').join(':');
  if (!isJoined) return null;
  const [only = null] = outputs;
  if (outputs.length === 1) return only;
  const places = outputs.flatMap((one) => (one?.length === 1 ? one : []));
  const [first, second, ...rest] = places;
  if (first === undefined || second === undefined || places.length < outputs.length) return null;
  return [[first, second, ...rest]];
}

/** The places of `a | default: b`; null if it is more than that. */
function alternatives(expression: string): readonly LookupPlace[] | null {
  const places = expression.split(/\|\s*default:/).map((path) => placeOf(path.trim()));
  const known = places.filter((place) => place !== null);
  return known.length === places.length ? known : null;
}

function placeOf(path: string): LookupPlace | null {
  const [root = ''] = /^[a-z]+/.exec(path) ?? [];
  const steps: string[] = [];
  for (let at = root.length; at < path.length; at = STEP.lastIndex) {
    STEP.lastIndex = at;
    const step = STEP.exec(path);
    if (step === null) return null;
    steps.push(step.slice(1).find((part) => part !== undefined) ?? '');
  }
  const [name] = steps;
  if (root === 'payload' || root === 'item') return `body:${steps.join('.')}`;
  if (steps.length !== 1 || name === undefined) return null;
  if (root === 'headers') return `header:${name.toLowerCase()}`;
  return root === 'query' ? `query:${name}` : null;
}
