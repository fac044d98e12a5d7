import '../facts.ts';
import { routeView } from '../../src/admin/preview/route.ts';
import { compileConfig } from '../../src/config/compile/compile.ts';
import type { Source } from '../../src/config/compiled/config.ts';
import { EMPTY_SET } from '../../src/config/documents/schema.ts';
import { sampleOf, type SampleDocument } from '../../src/config/documents/provider-file.ts';
import { languageOf, withExamples } from '../../src/config/documents/starter-texts.ts';
import { identify } from '../../src/ingest/request/event.ts';
import { routeEvent } from '../../src/ingest/routing/match.ts';
import type { RouteResult } from '../../src/ingest/routing/result.ts';
import type { DraftItem } from '../../src/outbox/state/acceptance.ts';
import { keysOf } from '../../src/outbox/state/event.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { asReceived } from '../fixtures/run.ts';
import { requestOf } from '../fixtures/webhooks.ts';
import { readStarter, type OwnProviders } from '../init/starters.ts';
import { pressesOf } from './presses.ts';
import { listsOf, planned, valuesOf } from '../../shared/new-source/plan.ts';
import { contentOf, isShownKind, wordsOf } from '../../shared/phone/content.ts';

/** The messages of a starter, sample by sample, for a source in one locale. */
export interface PhoneView {
  readonly provider: Provider;
  readonly locale: string;
  readonly samples: readonly SampleView[];
}

/** The messages of one sample after the samples before it. For items that wait: the notification that would be due now. */
export interface SampleView {
  readonly name: string;
  /** The reason for which the sample is to make no message. Null if it is to make one. */
  readonly silent: string | null;
  readonly messages: readonly PhoneMessage[];
  readonly failures: readonly string[];
}

export interface PhoneMessage {
  readonly route: string;
  /** A list, a number with `+`, or nobody for a status. */
  readonly to: string;
  /** True if the webhook says who gets it, and not a list. */
  readonly isFromWebhook: boolean;
  readonly text: string;
  /** The button that somebody pressed before; absent: the webhook itself makes the message. */
  readonly pressed?: string | undefined;
}

/** Numbers that nobody has, for the lists in their order; samples have others. */
const listNumber = (at: number): string => `4917139200${90 + at}`;

/** Renders every sample of a provider as its relay would, one after the other. Fails when the starter cannot be published. */
export async function phoneViewOf(
  provider: Provider,
  locale: string,
  own: OwnProviders,
): Promise<Result<PhoneView, readonly string[]>> {
  const starter = withExamples(readStarter(provider.id, languageOf(locale), own));
  const lists = listsOf({ starter });
  const documents = planned(
    {
      provider,
      starter,
      source: provider.id,
      address: `https://relay.example/hooks/${provider.id}`,
      numbers: [],
      locale,
      // Samples have German numbers.
      country: 'DE',
      timezone: 'Europe/Berlin',
      quiet: null,
    },
    EMPTY_SET,
  );
  const recipients = Object.fromEntries(lists.map((name, at) => [name, { numbers: [listNumber(at)] }]));
  const set = {
    ...EMPTY_SET,
    providers: own,
    sources: valuesOf(documents, 'sources'),
    templates: valuesOf(documents, 'templates'),
    recipients,
  };
  const { config, errors } = compileConfig(set, 0);
  const source = config.sources.get(provider.id);
  if (source === undefined || errors.length > 0)
    return err(errors.map(({ path, message }) => `${path.replace(/^sources\.[^.]+/, 'source')} ${message}`));
  const names = new Map(lists.map((name, at) => [listNumber(at), name]));
  const seen: Seen = { events: new Set(), items: new Set(), open: new Map() };
  const samples: SampleView[] = [];
  for (const sample of starter.samples) samples.push(await viewOf(source, sample, names, seen));
  return ok({ provider, locale, samples });
}

/** A relay's memory of the samples before: ids of events, keys of messages, and the routes in which incidents are open. */
interface Seen {
  readonly events: Set<string>;
  readonly items: Set<string>;
  readonly open: Map<string, Set<string>>;
}

async function viewOf(
  source: Source,
  document: SampleDocument,
  lists: ReadonlyMap<string, string>,
  seen: Seen,
): Promise<SampleView> {
  const { name, silent = null } = document;
  const view = (messages: readonly PhoneMessage[], failures: readonly string[]): SampleView => ({
    name,
    silent,
    messages,
    failures,
  });
  const received = await asReceived(source, requestOf(source.id, sampleOf(document)));
  if (!received.ok) return view([], [received.error]);
  const { event, dedupeFailure } = identify(received.value, (count) => new Uint8Array(count));
  const first = dedupeFailure === null ? [] : [dedupeFailure.message];
  if (event.dedupeKey !== null && seen.events.has(event.dedupeKey)) return view([], first);
  if (event.dedupeKey !== null) seen.events.add(event.dedupeKey);
  const routed = unseen(routeEvent(event), seen);
  const turns = [
    { event, routed, pressed: undefined },
    ...pressesOf(event, routed).map(({ label, event: press }) => ({
      event: press,
      routed: routeEvent(press),
      pressed: label,
    })),
  ];
  const results = turns.flatMap((turn) =>
    turn.routed.map((result) => ({ ...routeView(turn.event, result), pressed: turn.pressed })),
  );
  const messages = results.flatMap(({ messages: all, pressed }) =>
    all.map(({ route, phone, kind, params }) => ({
      route,
      to: phone === null ? 'nobody' : (lists.get(phone) ?? `+${phone}`),
      isFromWebhook: phone !== null && !lists.has(phone),
      text: isShownKind(kind) ? wordsOf(contentOf(kind, params)) : '',
      pressed,
    })),
  );
  return view(messages, [
    ...first,
    ...results.flatMap(({ failures }) => failures.map(({ reason }) => reason)),
  ]);
}

/** The messages that were not sent before: an outbox claims the same keys, and ends what is open in the same routes. */
function unseen(results: readonly RouteResult[], { items: seen, open }: Seen): readonly RouteResult[] {
  const isElsewhere = ({ key, isResolved, holder }: DraftItem, route: string): boolean => {
    const routes = key === null ? undefined : open.get(key);
    return (
      (isResolved || holder !== undefined) && routes !== undefined && routes.size > 0 && !routes.has(route)
    );
  };
  const isNew = (one: Keyed): boolean => keysOf(one).every((key) => !seen.has(key));
  for (const { route, items = [] } of results)
    for (const one of items)
      if (one.key !== null && !one.isResolved && one.holder === undefined && isNew(one))
        open.set(one.key, (open.get(one.key) ?? new Set()).add(route));
  const fresh = results.map((result) => ({
    ...result,
    messages: result.messages.filter(isNew),
    ...(result.items && {
      items: result.items.filter((item) => isNew(item) && !isElsewhere(item, result.route)),
    }),
  }));
  for (const { route, items = [] } of fresh)
    for (const { key, isResolved } of items) if (key !== null && isResolved) open.get(key)?.delete(route);
  for (const one of fresh.flatMap(({ messages, items = [] }) => [...messages, ...items]))
    for (const key of keysOf(one)) seen.add(key);
  return fresh;
}

type Keyed = Parameters<typeof keysOf>[0];
