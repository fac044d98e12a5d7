import { silencedBy } from '../../config/compiled/silences.ts';
import { iso, MINUTE } from '../../lib/time.ts';
import { beyondText } from '../../render/built-in-text.ts';
import type { DraftMessage } from '../state/acceptance.ts';
import { MAX_NAMES, openIn, type BeyondOf, type Counted, type SaysBeyond } from './beyond.ts';
import { plainSend } from './compose.ts';
import type { Look } from './context.ts';
import { miss } from './open-incidents.ts';
import { quietIn } from './owed.ts';
import { rulesOf, type Rules } from './rules.ts';

/** A summary that is silenced, or for which there is no space, is tried again after this (ms). */
const AGAIN_MS = MINUTE;

const MOST_AT_ONCE = 100;

type Ruled = Counted & { readonly rules: Rules };

/** Sends the due summaries, first those with something of high priority in them. */
export function summarize(look: Look): void {
  const { beyond, config, now } = look;
  const rows = beyond.dueRows(now).map((row): Ruled => ({ ...row, rules: rulesOf(config, row, now) }));
  const due = Map.groupBy(
    rows.filter((row) => !dropOver(look, row)),
    ({ source, phone }) => `${source}/${phone}`,
  );
  const all = [...due.values()].flatMap((some) => summaryOf(look, some) ?? []);
  const highFirst = all.toSorted((one, other) => Number(isHigh(other)) - Number(isHigh(one)));
  for (const { of: one, rules } of highFirst.slice(0, MOST_AT_ONCE)) {
    const quiet = quietIn(rules.quiets, now);
    if (quiet !== null) beyond.postpone(one, quiet.until);
    else if (one.count > 0 && isSilenced(look, one, rules)) beyond.postpone(one, now + AGAIN_MS);
    else queue(look, one, rules);
  }
}

const isHigh = ({ rules }: Pick<Ruled, 'rules'>): boolean => rules.priority === 'high';

/** Returns what is to be said of a receiver of a source, by the rules of what is most urgent; null: nothing. */
function summaryOf({ beyond, now }: Look, all: readonly Ruled[]) {
  // Who has left hears of nothing new, and that what they know is over.
  const rows = all.map((row) => (row.rules.hasLeft ? { ...row, count: 0 } : row));
  const sumOf = (number: (row: Counted) => number): number => rows.reduce((sum, row) => sum + number(row), 0);
  const count = sumOf((row) => row.count);
  const ended = count + sumOf(openIn) === 0 ? sumOf((row) => row.ended) : 0;
  const due = rows.filter(({ next_at }) => next_at <= now);
  const news = rows.filter((row) => row.count + ended > 0);
  const first = news.find(isHigh) ?? news[0];
  if (first === undefined || !news.some(({ next_at }) => next_at <= now)) {
    for (const row of due) beyond.rest(row, now);
    return null;
  }
  const { source, phone, route, rules } = first;
  const since = Math.min(...rows.map((row) => row.since));
  const names = [...rows.filter(isHigh), ...rows].flatMap((row) => row.names);
  const some = [...new Set(names)].slice(0, MAX_NAMES);
  return { of: { source, phone, route, names: some, count, ended, since }, rules };
}

/** Drops what is gone, left, or not heard of for too long (which the morning's message counts). True if dropped. */
function dropOver({ beyond, now, open }: Look, row: Ruled): boolean {
  const { route, expiresMs, hasLeft } = row.rules;
  const isExpired = route !== null && row.heard_at <= now - expiresMs;
  const isLeft = hasLeft && row.said.size + row.ended + row.told === 0;
  if (route !== null && !isLeft && !isExpired) return false;
  beyond.drop(row);
  const subscriber = isExpired ? open.subscribers.get(row) : null;
  if (subscriber !== null && subscriber.held !== null) miss(subscriber, 'expired', now, openIn(row));
  return true;
}

/** True if a silence covers a whole source: of incidents that are only counted, nothing else is known. */
function isSilenced({ config, now }: Look, { source, since }: BeyondOf, { locale }: Rules): boolean {
  const event = { id: '', type: null, source, received_at: iso(since), dedupe_key: null };
  const scope = { payload: undefined, event, headers: {}, query: {} };
  const all = { source, route: null, key: null, grouped: null, scope };
  return silencedBy(config.silences, all, locale, now) !== null;
}

function queue({ deps, beyond, now, config }: Look, one: BeyondOf, rules: Rules): void {
  const { source, phone, route, names, count, since } = one;
  const text = beyondText({ source, names, count, since: iso(since) }, rules.locale);
  const draft: DraftMessage = {
    route,
    phone: phone === '' ? null : phone,
    ...plainSend(phone, text),
    onUncertain: rules.route?.delivery.onUncertain,
    priority: rules.priority,
    forget: rules.source?.store === 'metadata',
    about: { form: 'digest', why: 'digest', new: count, resolved: 0, firing: 0, incidents: [] },
    says: { form: 'beyond', ...one } satisfies SaysBeyond,
  };
  const isOpen = rules.source?.isOpen;
  const origin = { event: null, source, since: now, configVersion: config.version, isOpen };
  const seq = deps.messages.queue({ drafts: [draft], origin }, () => beyond.summarized(one, now));
  if (seq === null) beyond.postpone(one, now + AGAIN_MS);
}
