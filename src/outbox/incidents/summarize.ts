import { silencedBy } from '../../config/silenced.ts';
import { iso } from '../../lib/iso.ts';
import { beyondText } from '../../render/built-in-text.ts';
import type { DraftMessage } from '../state/acceptance.ts';
import type { BeyondOf, SaysBeyond } from './beyond.ts';
import type { Look } from './context.ts';
import { quietIn } from './quiet-now.ts';
import { rulesOf, type Rules } from './rules.ts';
import { miss } from './subscribers.ts';

/** The wait if the account has no space for messages (ms). */
const FULL_MS = 60_000;

/** The interval of checks for the end of a silence (ms): a person may end it. */
const SILENCED_MS = 60_000;

/** Sends the due summaries of incidents beyond the bounds. */
export function summarize(look: Look): void {
  const { beyond, config, now } = look;
  dropOver(look);
  for (const one of beyond.due(now)) {
    const rules = rulesOf(config, one, now);
    const quiet = quietIn(rules.quiets, now);
    if (quiet !== null) beyond.postpone(one, quiet.until);
    else if (one.count > 0 && isSilenced(look, one, rules)) beyond.postpone(one, now + SILENCED_MS);
    else queue(look, one, rules);
  }
}

/**
 * Drops what belongs to a route that is gone, or a receiver who is notified of nothing any more, and what was not heard
 * of for too long. The morning's message counts the latter.
 */
function dropOver({ beyond, config, now, open }: Look): void {
  for (const row of beyond.dueRows(now)) {
    const { route, isMember, isInSteps, expiresMs } = rulesOf(config, row, now);
    const isExpired = route !== null && row.heardAt <= now - expiresMs;
    if (route !== null && (isMember || isInSteps) && !isExpired) continue;
    beyond.drop(row);
    const subscriber = isExpired ? open.subscribers.get(row) : null;
    if (subscriber !== null && subscriber.held !== null)
      miss(subscriber, 'expired', { at: now, count: row.open });
  }
}

/** True if a silence covers a whole source: of incidents that are only counted, nothing else is known. */
function isSilenced({ config, now }: Look, { source, since }: BeyondOf, { locale }: Rules): boolean {
  const event = { id: '', type: null, source, received_at: iso(since), dedupe_key: null };
  const scope = { payload: undefined, event, headers: {}, query: {} };
  return silencedBy(config.silences, scope, locale, now) !== null;
}

function queue({ deps, beyond, now, config }: Look, one: BeyondOf, rules: Rules): void {
  const { source, phone, route, count, since } = one;
  const text = beyondText({ source, count, since: iso(since) }, rules.locale);
  const isStatus = phone === '';
  const draft: DraftMessage = {
    route,
    kind: isStatus ? 'status' : 'text',
    phone: isStatus ? null : phone,
    params: isStatus ? { text } : { message: text },
    delayMs: 0,
    expiresMs: null,
    onUncertain: rules.route?.delivery.onUncertain ?? 'retry',
    priority: rules.priority,
    forget: false,
    about: { form: 'digest', new: count, resolved: 0, firing: 0, incidents: [] },
    says: { form: 'beyond', ...one } satisfies SaysBeyond,
  };
  const origin = { event: null, source, since: now, configVersion: config.version };
  const seq = deps.queue({ draft, origin }, () => beyond.summarized(one, now));
  if (seq === null) beyond.postpone(one, now + FULL_MS);
}
