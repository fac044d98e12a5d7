import { isObject, ownValue } from '../../../src/lib/json.ts';
import type { RouteWords } from '../../api/catalog.ts';
import type { Diagnosis, Stats, Written } from '../../api/types.ts';
import { shellWord } from '../../../shared/shell-word.ts';
import { isLoopback } from '../../../src/lib/url.ts';

export type ListedSource = Written & { readonly id: string };

/** The sources as their list shows them. Null: it could not be read, or is not known yet. */
export const rowsOf = (sources: readonly ListedSource[], stats: Stats | null, missing: ReadonlySet<string>) =>
  sources.map((source) => {
    const counted = stats?.sources[source.id];
    return {
      id: source.id,
      provider: textAt(source, 'provider') ?? 'generic',
      events: sumOf(counted?.events),
      rejected: sumOf(counted?.rejections),
      lastAt: counted?.last_event_at ?? null,
      overdue: counted?.heartbeat?.overdue === true ? counted.heartbeat.expected : null,
      missing: secretNames(source).filter((name) => missing.has(name)),
    };
  });

export type SourceRow = ReturnType<typeof rowsOf>[number];

const sumOf = (counts: Readonly<Record<string, number>> | null | undefined): number | null =>
  counts === null || counts === undefined ? null : Object.values(counts).reduce((sum, one) => sum + one, 0);

/** True if all words of a search are in a text, whatever their case. */
export const hasWords = (search: string, ...texts: readonly string[]): boolean => {
  const text = texts.join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

export const missingSecrets = ({ checks }: Diagnosis): ReadonlySet<string> =>
  new Set(
    checks
      .filter(({ id, status }) => status === 'fail' && id.startsWith('secret:'))
      .map(({ id }) => id.slice('secret:'.length)),
  );

export function secretNames(source: Written): readonly string[] {
  const names = source['secrets'];
  const handshake = textAt(source['handshake'], 'secret');
  return [...(Array.isArray(names) ? names.map(String) : []), ...(handshake === null ? [] : [handshake])];
}

export const textAt = (value: unknown, key: string): string | null => {
  const text = ownValue(value, key);
  return typeof text === 'string' ? text : null;
};

const ALSO = ['each', 'once', 'incident', 'group', 'throttle', 'quiet', 'delay', 'expires', 'stop', 'digest'];

export function routesOf(source: Written) {
  const routes = source['routes'];
  if (!Array.isArray(routes)) return [];
  return routes.map((route: unknown) => ({
    name: textAt(route, 'name') ?? '',
    when: textAt(route, 'when'),
    to: [ownValue(route, 'to') ?? []].flat().map(String),
    template: textAt(route, 'template') ?? textAt(route, 'template.default'),
    /** Of the route's own message. Null if it has a template. */
    kind: textAt(route, 'send.kind'),
    also: ALSO.filter((key) => ownValue(route, key) !== undefined),
  }));
}

export type RouteFacts = ReturnType<typeof routesOf>[number];

/** The ends of a route's name that are about its receiver or its place among others, and not about what happened. */
const ABOUT_OTHERS = /-(?:to-(?:the-)?(?:customer|guest|visitor)|owners|generic)$/;

/** `is paid` needs no noun: `When paid`, `Wenn bezahlt wird`. */
const PASSIVE = /^is | wird$/;

/** Returns the sentence of a route’s name: `order-paid` gives “When an order is paid”. Null: no words are known for it. */
export function whenOf(
  name: string,
  provider: string,
  { when, it, nouns, verbs, routes, providers }: RouteWords,
): string | null {
  const about = name.toLowerCase().replaceAll('_', '-').replace(ABOUT_OTHERS, '');
  const own = at(providers, provider) ?? {};
  const whole = at(own, name) ?? at(own, about) ?? at(routes, name) ?? at(routes, about);
  if (whole !== null) return whole;
  const alone = at(verbs, about);
  if (alone !== null)
    return PASSIVE.test(alone) ? `${when} ${alone.replace(/^is /, '')}` : `${when} ${it} ${alone}`;
  // The longest verb: `payment-not-paid` is not about something that is paid.
  for (let end = about.indexOf('-'); end > 0; end = about.indexOf('-', end + 1)) {
    const noun = at(nouns, about.slice(0, end));
    const verb = at(verbs, about.slice(end + 1));
    if (noun !== null && verb !== null) return `${when} ${noun} ${verb}`;
  }
  return null;
}

const at = <Value>(words: Readonly<Record<string, Value>>, name: string): Value | null =>
  Object.hasOwn(words, name) ? (words[name] ?? null) : null;

/** A document as it is typed. `error`: the browser's message; empty if it is JSON, but not an object. */
export function parseDocument(text: string) {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? ({ ok: true, value } as const) : ({ ok: false, error: '' } as const);
  } catch (thrown) {
    return { ok: false, error: thrown instanceof Error ? thrown.message : String(thrown) } as const;
  }
}

/** Without the key where the value is empty: the relay's standard counts. */
export function withValue(source: Written, key: string, value: string): Written {
  const { [key]: _, ...rest } = source;
  return value === '' ? rest : { ...rest, [key]: value };
}

/** The routes that send to numbers and lists. A receiver from the webhook is Liquid, and stays in the JSON. */
export function withReceivers(source: Written) {
  const routes: readonly unknown[] = Array.isArray(source['routes']) ? source['routes'] : [];
  return routes.flatMap((route, at) => {
    const to: unknown = Reflect.get(Object(route), 'to');
    const entries = [to].flat();
    if (to === undefined || entries.some((one) => typeof one !== 'string' || one.includes('{'))) return [];
    const setTo = (typed: string): Written => {
      const all = typed.split(',').map((one) => one.trim());
      return {
        ...source,
        routes: routes.map((one, other) =>
          other === at && typeof one === 'object' ? { ...one, to: all.length === 1 ? all[0] : all } : one,
        ),
      };
    };
    return [{ at, name: textAt(route, 'name') ?? '', to: entries.join(', '), setTo }];
  });
}

/** The command that sets a secret to a value; on the machine of whoever looks, the line of `.dev.vars`. */
export const setsSecret = (name: string, value: string, hostname: string): string =>
  isLoopback(hostname)
    ? `${name}=${lineValue(value)}`
    : `printf %s ${shellWord(value)} | npx wrangler secret put ${name}`;

/** Writes a value for a file of variables, in quotes that it does not contain. */
const lineValue = (text: string): string => {
  const quote = ['"', "'", '`'].find((one) => !text.includes(one)) ?? '"';
  return `${quote}${text}${quote}`;
};

const SECRET_BYTES = 24;

/** A secret that nobody can guess, of letters and digits, which every provider takes. */
export const newSecret = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
