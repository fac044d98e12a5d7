import { isMessageKind, MAX_PARAM_LENGTH, MESSAGE_KINDS } from '../../gateway/kinds.ts';
import { type FieldError, fieldError } from '../../lib/problem.ts';
import { factsKeys } from '../../provider/provider.ts';
import { isExpression } from '../../template/basics/locale.ts';
import { withPartials, type TextPlace } from '../../template/partials.ts';
import type { ConfigSet } from '../documents/schema.ts';
import { FIRST_LANGUAGE, languageOf } from '../documents/starter-texts.ts';
import { isObject } from '../../lib/json.ts';

/** A version is one row of the registry, and a SQLite row in a Durable Object has at most 2 MB. */
export const MAX_SET_BYTES = 1_500_000;

/** A set as it is compiled and stored: with what hookbell ships, so that another release changes no version. */
interface Built {
  /** The same object as the one that was written, if nothing differs. */
  readonly set: ConfigSet;
  readonly errors: readonly FieldError[];
  readonly warnings: readonly FieldError[];
}

type Tree = Readonly<Record<string, unknown>>;

/** Puts in what the texts of a set name and hookbell ships. Checks nothing else: what is wrong stays as it is. */
export function built(set: ConfigSet): Built {
  const texts = new Texts();
  const sources = mapped(set.sources, (id, source) => ofSource(source, `sources.${id}`, texts));
  const templates = mapped(set.templates, (name, template) => ofTemplate(template, name, texts));
  const { errors, warnings, added } = texts;
  const hasProviders = Object.keys(set.providers).length > 0;
  const isSame = added === 0 && errors.length === 0 && !hasProviders;
  const providers = mapped(set.providers, (_, file) => factsOf(file));
  return { set: isSame ? set : { ...set, sources, templates, providers }, errors, warnings };
}

/** What the trip of a webhook needs of a provider's file: neither its samples nor what people read. */
const factsOf = (file: unknown): unknown =>
  isObject(file)
    ? Object.fromEntries(Object.entries(file).filter(([key]) => Object.hasOwn(factsKeys, key)))
    : file;

class Texts {
  readonly errors: FieldError[] = [];
  readonly warnings: FieldError[] = [];
  /** Where routes use a template, by its name. */
  readonly uses = new Map<string, TextPlace[]>();
  added = 0;

  note(template: unknown, place: TextPlace): void {
    if (typeof template === 'string') this.uses.set(template, [...(this.uses.get(template) ?? []), place]);
  }

  /** Returns what a wrong text may be compiled as, so that nothing else is said of it. */
  put(path: string, text: string, place: TextPlace): string {
    const put = withPartials(text, place);
    if (put.ok && put.value === text) return text;
    const message = put.ok ? this.#tooLong(put.value) : put.error;
    if (message !== null) this.errors.push(fieldError(path, 'malformed', message));
    return put.ok && message === null ? put.value : '-';
  }

  #tooLong({ length }: string): string | null {
    this.added += length;
    if (length > MAX_PARAM_LENGTH)
      return `has ${length} characters with its partials, and may have ${MAX_PARAM_LENGTH}: use fewer`;
    return this.added > MAX_SET_BYTES ? 'the texts with partials are too long together: use fewer' : null;
  }
}

function ofSource(source: unknown, path: string, texts: Texts): unknown {
  if (!isObject(source) || !Array.isArray(source['routes'])) return source;
  const { locale } = source;
  const isFixed = typeof locale === 'string' && !isExpression(locale);
  const language = isFixed ? languageOf(locale) : FIRST_LANGUAGE;
  return {
    ...source,
    routes: source['routes'].map((route: unknown, at) =>
      isObject(route) ? ofRoute(route, `${path}.routes[${at}]`, language, texts) : route,
    ),
  };
}

function ofRoute(route: Tree, path: string, language: string, texts: Texts): Tree {
  const { template, send, digest } = route;
  const place = { language, grouped: Object.hasOwn(route, 'group') };
  const inDigest = { language, grouped: true };
  const byTag = isObject(template) ? template : { default: template };
  for (const [tag, name] of Object.entries(byTag))
    texts.note(name, tag === 'default' ? place : { ...place, language: languageOf(tag) });
  texts.note(digest, inDigest);
  return {
    ...route,
    ...(isObject(send) && { send: ofMessage(send, `${path}.send`, place, texts) }),
    ...(isObject(digest) && { digest: ofMessage(digest, `${path}.digest`, inDigest, texts) }),
  };
}

function ofTemplate(template: unknown, name: string, texts: Texts): unknown {
  if (!isObject(template)) return template;
  const path = `templates.${name}`;
  const uses = texts.uses.get(name) ?? [];
  const languages = [...new Set(uses.map(({ language }) => language))];
  const [language = FIRST_LANGUAGE] = languages.length === 1 ? languages : [];
  const { added } = texts;
  const put = ofMessage(template, path, { language, grouped: uses.every(({ grouped }) => grouped) }, texts);
  if (languages.length > 1 && texts.added > added)
    texts.warnings.push(
      fieldError(
        path,
        'misplaced',
        `its partials are in English, since sources in ${languages.join(' and ')} use it: write one template for each language, with \`lang: "${languages.at(-1)}"\` in {% render %}`,
      ),
    );
  return put;
}

/** Partials are whole texts: lines, addresses and options have none. */
function ofMessage(message: Tree, path: string, place: TextPlace, texts: Texts): Tree {
  const { kind } = message;
  const params = typeof kind === 'string' && isMessageKind(kind) ? MESSAGE_KINDS[kind].params : {};
  return mapped(message, (key, value) => {
    if (key === 'fallback' && Array.isArray(value))
      return value.map((one: unknown, at) =>
        isObject(one) ? ofMessage(one, `${path}.fallback[${at}]`, place, texts) : one,
      );
    const holds = Object.hasOwn(params, key) ? params[key]?.holds : undefined;
    return holds === 'text' && typeof value === 'string' ? texts.put(`${path}.${key}`, value, place) : value;
  });
}

const mapped = (tree: Tree, change: (key: string, value: unknown) => unknown): Tree =>
  Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, change(key, value)]));
