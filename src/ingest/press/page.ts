import { START, STOP } from '../../config/compile-actions.ts';
import { iso } from '../../lib/iso.ts';
import { maskNumbers } from '../../lib/mask-numbers.ts';
import { personName } from '../../lib/person-name.ts';
import { isCanary, type LinkView } from '../../outbox/links/read-link.ts';
import { withoutTokens } from '../../outbox/state/links.ts';
import type { Locale } from '../../template/basics/locale.ts';
import { formatDateTime } from '../../template/filters/dates.ts';
import { pageHeaders, pageHtml, type PageContent } from '../form/page.ts';
import type { LinkState } from './state.ts';
import { whoIs } from './person.ts';
import { filled, type PressTexts } from './texts.ts';

/** The queries that take a press back, and that let a receiver who has opted out opt in again. */
export const TAKE_BACK = 'undo';
export const START_AGAIN = START;

/** Returns the content of a link's page in its current state. */
export function linkContent(
  view: LinkView,
  state: LinkState,
  { locale, texts }: { readonly locale: Locale; readonly texts: PressTexts },
): PageContent {
  const when = (ms: number): string => {
    const made = formatDateTime(iso(ms), 'medium', locale);
    return made.ok ? made.value : iso(ms);
  };
  const { link } = view;
  if (state.kind === 'expired')
    return {
      title: texts.expired,
      lines: [filled(texts.expiredAt, { when: when(link.until) })],
      quote: saidBy(view),
    };
  if (state.kind === 'resolved') {
    const lines = state.at === null ? [] : [filled(texts.resolvedAt, { when: when(Date.parse(state.at)) })];
    return { title: texts.resolved, lines, quote: saidBy(view) };
  }
  if (state.kind === 'lost') return { title: texts.lost, lines: [texts.lostWhy], quote: saidBy(view) };
  if (state.kind === 'taken') {
    const who = maskNumbers(personName(state.by) ?? texts.somebody);
    const line = filled(texts.takenBy, { who, when: when(Date.parse(state.at)) });
    return { title: texts.taken, lines: [line], quote: saidBy(view) };
  }
  if (state.kind === 'stopped')
    return {
      title: texts.stopped,
      lines: [filled(texts.stoppedSince, { when: when(Date.parse(state.at)) })],
      ...(state.canStart && { button: { text: texts.start, query: `?${START_AGAIN}`, isQuiet: true } }),
    };
  if (state.kind === 'withdrawn') return { title: texts.withdrawn, lines: [], quote: saidBy(view) };
  if (state.kind === 'open') {
    const said = saidBy(view);
    return {
      title: isCanary(view) ? 'hookbell' : `${texts.from} ${view.source}`,
      lines: [...(link.id === STOP ? [texts.stop] : []), ...(said === '' ? [texts.notKept] : [])],
      quote: said,
      button: { text: link.label ?? link.id, query: '?', isQuiet: false },
    };
  }
  const { pressed, isOwn } = state;
  const label = pressed.label ?? pressed.action;
  const who = pressed.by.phone === null ? texts.somebody : whoIs(pressed.by);
  const line = filled(isOwn ? texts.you : texts.other, { who, label, when: when(pressed.at) });
  return {
    title: isOwn ? texts.done : texts.answered,
    lines: [line],
    quote: saidBy(view),
    ...(state.canTakeBack && { button: { text: texts.takeBack, query: `?${TAKE_BACK}`, isQuiet: true } }),
  };
}

/** Matches names of parameters that hold no text for people. */
const NO_TEXT = /url$/;

/** A link in the text of a message. The page has buttons for its own links. */
const LINK = /https?:\/\/\S{1,64}\/a\/…/g;

/** The text of a message, without its links. */
function saidBy({ params }: LinkView): string {
  const texts = Object.entries(params).flatMap(([name, text]) => (NO_TEXT.test(name) ? [] : [text]));
  const lines = withoutTokens(texts.join('\n\n')).split('\n');
  const others = lines.filter((line) => line.search(LINK) < 0);
  const shown = others.some((line) => line.trim() !== '') ? others : lines;
  return shown
    .join('\n')
    .replaceAll(LINK, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/**
 * A page about a link. No other page may show it in a frame, where a click meant for something else would press its
 * button.
 */
export function pageResponse(
  content: PageContent,
  texts: PressTexts,
  {
    status = 200,
    headers = {},
  }: { readonly status?: number; readonly headers?: Record<string, string> } = {},
): Response {
  return new Response(pageHtml(texts, content), {
    status,
    headers: {
      ...pageHeaders([], content.button !== undefined),
      'x-robots-tag': 'noindex',
      ...headers,
    },
  });
}
