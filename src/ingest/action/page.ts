import { START, STOP, isOfIncidents } from '../../config/compile/actions.ts';
import { iso } from '../../lib/time.ts';
import { maskNumbers, maskNumber } from '../../lib/numbers.ts';
import { personName } from '../../lib/person-name.ts';
import {
  isCanary,
  type LinkView,
  type Pressed,
  type PressPayload,
  canTakeBack,
} from '../../outbox/links/read-link.ts';
import { LINK_PATH } from '../../render/links.ts';
import type { Provider } from '../../provider/provider.ts';
import type { Locale } from '../../template/basics/locale.ts';
import { formatDateTime } from '../../template/filters/dates.ts';
import { pageHeaders, pageHtml, type PageContent } from '../form/page.ts';
import { assetText } from '../../lib/bindings.ts';
import { isGerman } from '../../lib/text.ts';
import { parseOwnJson } from '../../lib/json.ts';
import type { Source, LoadedConfig } from '../../config/compiled/config.ts';
import { goesOn } from '../../schema/states.ts';
import type { Suppression } from '../../answers/api-suppression.ts';
import { receiversOf } from '../../config/compile/alerting.ts';
import type english from '../../../assets/actions/en.json';

/** The queries that take a press back, and that let a receiver who has opted out opt in again. */
export const TAKE_BACK = 'undo';
export const START_AGAIN = START;

export type Words = Readonly<{ locale: Locale; texts: PressTexts }>;

export function shownTime(ms: number, locale: Locale): string {
  const made = formatDateTime(iso(ms), 'medium', locale);
  return made.ok ? made.value : iso(ms);
}

/** Providers whose names name no sender. */
const NAMELESS: ReadonlySet<string> = new Set(['generic', 'html-form']);

/** Returns the content of a link's page in its current state. `provider`: that of its source; absent: it is gone. */
export function linkContent(
  view: LinkView,
  state: LinkState,
  { locale, texts }: Words,
  provider?: Pick<Provider, 'id' | 'name'>,
): PageContent {
  const said = (text: string, at: number | string, words = {}): string =>
    filled(text, { ...words, when: shownTime(new Date(at).getTime(), locale) });
  const { link } = view;
  const quote = saidBy(view);
  const page = (title: string, ...lines: readonly string[]): PageContent => ({ title, lines, quote });
  if (state.kind === 'expired') return page(texts.expired, said(texts.expiredAt, link.until));
  if (state.kind === 'resolved')
    return page(texts.resolved, ...(state.at === null ? [] : [said(texts.resolvedAt, state.at)]));
  if (state.kind === 'lost') return page(texts.lost, texts.lostWhy);
  if (state.kind === 'withdrawn') return page(texts.withdrawn);
  if (state.kind === 'taken') {
    const who = maskNumbers(personName(state.by) ?? texts.somebody);
    return page(texts.taken, said(texts.takenBy, state.at, { who }));
  }
  if (state.kind === 'stopped') {
    const button = { text: texts.start, query: `?${START_AGAIN}`, isQuiet: true };
    const lines = [said(texts.stoppedSince, state.at)];
    return { title: texts.stopped, lines, ...(state.canStart && { button }) };
  }
  if (state.kind === 'open') {
    const sender = provider === undefined || NAMELESS.has(provider.id) ? view.source : provider.name;
    const title = isCanary(view) ? 'hookbell' : `${texts.from} ${sender}`;
    const lines = [...(link.id === STOP ? [texts.stop] : []), ...(quote === '' ? [texts.notKept] : [])];
    const button = { text: link.label ?? link.id, query: '?', isQuiet: false };
    return { ...page(title, ...lines), button };
  }
  const { pressed, isOwn } = state;
  const label = pressed.label ?? pressed.action;
  const who = pressed.by.phone === null ? texts.somebody : whoIs(pressed.by);
  const line = said(isOwn ? texts.you : texts.other, pressed.at, { who, label });
  const button = { text: texts.takeBack, query: `?${TAKE_BACK}`, isQuiet: true };
  return { ...page(isOwn ? texts.done : texts.answered, line), ...(state.canTakeBack && { button }) };
}

const NO_TEXT = /url$/;

/** What a message said, without its own links, and lines that only name their buttons: the page has those. */
function saidBy({ params, own }: LinkView): string {
  const texts = Object.entries(params).flatMap(([name, text]) => (NO_TEXT.test(name) ? [] : [text]));
  const lines = texts.join('\n\n').split('\n');
  const bare = lines.map((line) => own.reduce((rest, { token }) => withoutLink(rest, token), line));
  const isLabel = (text: string): boolean => {
    const plain = text.trim().replace(/:$/, '');
    // A template spells out the unit that a button abbreviates.
    const short = plain.replace(/ (?:hours|Stunden)\b/, ' h');
    return own.some(({ label }) => label.startsWith(short));
  };
  const others = bare.filter((line, at) => line === lines[at] || !isLabel(line));
  const shown = (others.some((line) => line.trim() !== '') ? others : bare).join('\n');
  return shown.replaceAll(/\n{3,}/g, '\n\n').trim();
}

function withoutLink(line: string, token: string): string {
  const end = line.indexOf(LINK_PATH + token);
  if (end < 0) return line;
  const start = line.lastIndexOf('http', line.lastIndexOf('://', end));
  return line.slice(0, start) + withoutLink(line.slice(end + LINK_PATH.length + token.length), token);
}

/** In no other page's frame: a click meant for something else would press its button. */
export const pageResponse = (content: PageContent, texts: PressTexts, status = 200, more = {}): Response =>
  new Response(pageHtml(texts, content), {
    status,
    headers: { ...pageHeaders([], content.button !== undefined), 'x-robots-tag': 'noindex', ...more },
  });

/** An asset for each language. `{word}` is replaced when a page is made. */
type PressTexts = Readonly<typeof english>;

const read = new Map<string, PressTexts>();

/** For a locale, or a browser's accepted languages; English by default. Rejects if they cannot be read. */
export async function pressTexts({ ASSETS }: Pick<Env, 'ASSETS'>, locale: string): Promise<PressTexts> {
  const language = isGerman(locale) ? 'de' : 'en';
  const texts =
    read.get(language) ?? parseOwnJson<PressTexts>(await assetText(ASSETS, `actions/${language}.json`));
  read.set(language, texts);
  return texts;
}

export const filled = (text: string, words: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '');

/** Times are ISO 8601. */
export type LinkState = Readonly<
  /**
   * `lost`: nothing is known of the incidents any more, or of one of them; none goes on, as far as is known.
   * `withdrawn`: the source, the route or the action is not in the configuration any more; for `stop`, the source.
   */
  | { kind: 'open' }
  | { kind: 'expired' }
  | { kind: 'lost' }
  | { kind: 'withdrawn' }
  | { kind: 'pressed'; pressed: Pressed; isOwn: boolean; canTakeBack: boolean }
  /** For incidents: somebody has them, or nobody needs to. */
  | { kind: 'taken'; by: string; at: string }
  | { kind: 'resolved'; at: string | null }
  /** For `stop`: the receiver has opted out. `canStart`: they did so through such a link, so they can opt in again. */
  | { kind: 'stopped'; at: string; canStart: boolean }
>;

/** `source`: the one in force. `now` in ms. `stopped`: the receiver's opt-out, if the link is for that. */
export function stateOf(
  view: LinkView,
  source: Source | undefined,
  now: number,
  stopped: Suppression | null = null,
): LinkState {
  const { link, message, pressed, route } = view;
  if (stopped !== null) {
    const canStart = stopped.message !== undefined && source !== undefined;
    return { kind: 'stopped', at: stopped.at, canStart };
  }
  if (pressed !== null) {
    const isOwn = pressed.message === message && pressed.action === link.id;
    return { kind: 'pressed', pressed, isOwn, canTakeBack: canTakeBack(view, now) };
  }
  const byTime: LinkState = { kind: now < link.until ? 'open' : 'expired' };
  if (isCanary(view)) return byTime;
  const actions = source?.routes.find(({ name }) => name === route)?.actions ?? [];
  // Whoever got the link can use it to opt out, even if its route has another name by now.
  const isAsked = link.id === STOP ? source !== undefined : actions.some(({ id }) => id === link.id);
  if (!isAsked) return { kind: 'withdrawn' };
  return (isOfIncidents(link.id) ? settledBy(view) : null) ?? byTime;
}

/** Returns the reason why incidents need no press; null if there is none. */
function settledBy({ link, incidents }: LinkView): LinkState | null {
  const open = incidents.filter(({ state }) => goesOn(state));
  if (open.length === 0 && incidents.some(({ state }) => state !== 'resolved')) return { kind: 'lost' };
  if (open.length === 0) return { kind: 'resolved', at: incidents.at(-1)?.resolvedAt ?? null };
  const [first] = open;
  const isTaken = link.id === 'ack' && open.every(({ acknowledged }) => acknowledged !== null);
  return isTaken && first?.acknowledged ? { kind: 'taken', ...first.acknowledged } : null;
}

export interface Press {
  readonly env: Env;
  readonly config: LoadedConfig;
  readonly source: Source;
  /** The account whose outbox has the message. */
  readonly account: string;
  readonly view: LinkView;
  readonly token: string;
  readonly now: number;
}

/** Returns the person who pressed: the receiver of the message, with their name in the lists of its route. */
export function personOf({ source, view }: Pick<Press, 'source' | 'view'>): PressPayload['by'] {
  const { route, phone } = view;
  const found = source.routes.find((one) => one.name === route);
  const lists = found === undefined ? [] : receiversOf(found);
  const [name] = lists.flatMap((to) =>
    to.from === 'document' && phone !== null ? (to.names?.get(phone) ?? []) : [],
  );
  return { phone, ...(name !== undefined && { name }) };
}

/** Returns a person as the others in the same list see them. */
export const whoIs = ({ name, phone }: PressPayload['by']): string => name ?? maskNumber(phone ?? '');
