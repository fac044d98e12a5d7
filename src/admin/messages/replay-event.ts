import type { LoadedConfig } from '../../config/compiled/config.ts';
import { unknownName } from '../../config/documents/unknown-name.ts';
import { accept, acceptance } from '../../ingest/accept/accept.ts';
import { Allowance } from '../../ingest/routing/allowance.ts';
import { routeEvent, silencing } from '../../ingest/routing/match.ts';
import { log } from '../../lib/log.ts';
import { problemResponse, fieldError } from '../../lib/problem.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { shownKey } from '../../schema/parts.ts';
import type { ReplayView } from '../../outbox/read/event-receivers.ts';
import type { StoredEvent } from '../../outbox/read/views.ts';
import type { EventSummary } from '../../outbox/answers/api-event.ts';
import type { Receipt } from '../../outbox/state/acceptance.ts';
import type { SkipReason } from './api-replay.ts';
import { conflict, invalid } from '../request/input.ts';
import { failedOnly, type ReplayChoice } from './replay-choice.ts';
import { restoredEvent } from './stored-event.ts';

/** `skip` is null if the event was not accepted at this moment; the same request may be sent again. */
export interface NotReplayed {
  readonly skip: SkipReason | null;
  readonly answer: Response;
}

interface Replaying {
  readonly env: Env;
  readonly config: LoadedConfig;
  readonly by: string;
  readonly now: number;
}

/** Returns the reason against a replay if it is known before the event is read. */
export function whyNot(
  { stored, source }: Pick<EventSummary, 'stored' | 'source'>,
  { sources }: LoadedConfig,
): Extract<SkipReason, 'payload_not_kept' | 'source_gone'> | null {
  if (!stored) return 'payload_not_kept';
  return sources.has(source) ? null : 'source_gone';
}

/**
 * Renders a stored event, or a part of it, with today's configuration, and accepts it under the new `id`. The same id
 * makes only one event, even if this runs twice. `replays`: the earlier replays of the event, which decide which
 * failures are left.
 */
export async function replayEvent(
  { env, config, by, now }: Replaying,
  stored: StoredEvent,
  { routes, only }: ReplayChoice,
  id: string,
  replays: readonly ReplayView[],
): Promise<Result<Receipt, NotReplayed>> {
  const source = config.sources.get(stored.source);
  const why = whyNot(stored, config);
  if (why === 'payload_not_kept')
    return not(
      why,
      conflict(
        `The source ${stored.source} does not store its payload (\`store: metadata\`), or it was deleted early to free space: there is nothing to render again.`,
      ),
    );
  if (source === undefined)
    return not(
      'source_gone',
      conflict(`The source ${stored.source} is no longer configured; publish it to replay its events.`),
    );

  const event = restoredEvent(stored, source, id);
  const names = source.routes.map(({ name }) => name);
  const errors = (routes ?? []).flatMap((name, at) =>
    names.includes(name)
      ? []
      : [fieldError(`routes[${at}]`, 'malformed', unknownName('route', shownKey(name), names))],
  );
  if (errors.length > 0) return not('unknown_route', invalid('The request is not valid.', errors));
  if (only !== undefined && stored.messages_left_out !== undefined)
    return not(
      'too_many_messages',
      conflict('Its messages are too large in total to find out which of them failed.'),
    );
  // A person asked for it, so the source's limit does not count.
  const all = routeEvent(event, silencing(config, now), new Allowance(null)).filter(
    ({ route }) => routes?.includes(route) ?? true,
  );
  const results =
    only === undefined
      ? all
      : failedOnly(
          stored,
          all,
          // Leaves out this replay itself, which a repeated step has already made.
          replays.filter((replay) => replay.id !== id),
        );
  const isNothing = results.every(({ messages, items = [] }) => messages.length + items.length === 0);
  if (only !== undefined && isNothing)
    return not('nothing_failed', conflict('Nothing that failed would be sent now, so nothing was replayed.'));
  const taken = acceptance(event, results, {
    config,
    dedupeFailure: null,
    replay: { of: stored.id, at: event.receivedAt, by },
  });
  // Without the keys by which duplicates are found: the event and its items were seen before.
  const accepted = await accept(env, config, source.account, {
    messages: taken.messages.map(withoutKey),
    ...(taken.items && { items: taken.items.map(withoutKey) }),
    event: { ...taken.event, receivedAt: now, dedupe: null, signed: null },
  });
  if (!accepted.ok) {
    const { problem } = accepted.error;
    return not(problem.status === 413 ? 'too_large' : null, problemResponse(problem));
  }
  log('info', 'event.replayed', { event: accepted.value.event, of: stored.id, by });
  return ok(accepted.value);
}

const not = (skip: SkipReason | null, answer: Response): Result<never, NotReplayed> => err({ skip, answer });

const withoutKey = <One extends { readonly itemKey?: string; readonly once?: string }>({
  itemKey: _itemKey,
  once: _once,
  ...rest
}: One) => rest;
