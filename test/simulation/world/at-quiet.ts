import { OUTCOMES } from '../../../src/schema/states.ts';
import type { AlertsModel } from '../model/alerts.ts';
import { countIn, idOf, type MessagesModel } from '../model/messages.ts';
import type { Report } from '../model/report.ts';
import { personOf } from './links.ts';
import { nameOf } from './people.ts';
import { field, type Relay } from './relay.ts';

/** The number of newest events whose items are looked at. */
const EVENTS = 12;

/** The states of a message that the queue counts. */
const IN_QUEUE = ['queued', 'retrying', 'sending', 'uncertain', 'dead'] as const;

const DECIDED: ReadonlySet<string> = new Set(OUTCOMES.filter((outcome) => outcome !== 'waiting'));

export interface QuietHost {
  readonly relay: Relay;
  readonly report: Report;
  readonly messages: MessagesModel;
  readonly alerts: AlertsModel;
  readonly now: number;
  /** True if messages have links. */
  readonly hasPresses: boolean;
  /** True if people may have incidents: by links, or as the monitor says. */
  readonly hasHolders: boolean;
  /** The bytes on the disks of all objects, or of one class. */
  readonly bytes: (className?: string) => number;
  /** What is over may have been deleted. */
  readonly isSmall: boolean;
}

/** Checks what the API must say once nothing waits. */
export async function checkAtQuiet({
  relay,
  report,
  messages,
  alerts,
  now,
  hasPresses,
  hasHolders,
  bytes,
  isSmall,
}: QuietHost): Promise<void> {
  const { listed, stats } = await atOneMoment(relay);
  const ended = checkDigests(listed, report);
  const groups = Map.groupBy(listed, (message) => idOf(nameOf(message)));
  const stateIn = (message: unknown): string => (ended.has(message) ? 'summarized' : stateOf(message));
  messages.atQuiet(new Map([...groups].map(([id, all]) => [id, all.map(stateIn)])), isSmall);
  const open = await relay.list('/incidents?state=open&limit=100');
  const taken = hasHolders ? await relay.list('/incidents?state=acknowledged&limit=100') : [];
  alerts.atQuiet(
    new Set([...open, ...taken].map(keyOf)),
    new Map(taken.map((one) => [keyOf(one), personOf(String(field(one, 'acknowledged_by')))])),
    now,
  );
  if (hasPresses) await checkPresses(relay, report, alerts);
  if (!isSmall) {
    checkCounters(stats, report, listed);
    const states = new Map(listed.map((message) => [field(message, 'id'), stateOf(message)]));
    await checkOutcomes(relay, report, states);
  }
  if (isSmall && bytes('Outbox') > 2 * SMALL_MIB * MIB)
    report('an outbox has the size that it may have', `${bytes('Outbox')} bytes in two`);
  const most = 4 * MIB + listed.length * BYTES_A_MESSAGE;
  if (bytes() > most) report('rows are bounded', `${listed.length} messages took more than ${most} bytes`);
}

/** Returns the messages that a digest took the place of, and that is over. It counts these, no more and no fewer. */
function checkDigests(listed: readonly unknown[], report: Report): ReadonlySet<unknown> {
  const ended = new Set<unknown>();
  const those = Map.groupBy(
    listed,
    (message) => /^summarized in (\S+)$/.exec(String(field(message, 'reason')))?.[1],
  );
  for (const message of listed) {
    const { phone, text } = nameOf(message);
    const count = countIn(text);
    const own = those.get(String(field(message, 'id'))) ?? [];
    if (count !== null && count !== own.length)
      report('a digest counts the messages that end in it', `${phone}: ${count}, and ${own.length} listed`);
    if (!UNDER_WAY.has(stateOf(message))) for (const one of own) ended.add(one);
  }
  return ended;
}

const UNDER_WAY: ReadonlySet<string> = new Set(['queued', 'retrying', 'sending']);

const keyOf = (incident: unknown): string => String(field(incident, 'key'));

/** Each press is one event. */
async function checkPresses(relay: Relay, report: Report, { presses }: AlertsModel): Promise<void> {
  for (const [source, action] of [
    ['orders', 'approve'],
    ['monitor', 'ack'],
    ['monitor', 'resolve'],
    ['monitor', 'silence'],
  ] as const) {
    const events = await relay.list(`/events?source=${source}&type=action.${action}&limit=100`);
    const own = events.filter((event) => field(event, 'replay_of') === undefined).length;
    const { sure, most } = presses.count(action);
    if (own < sure || own > most)
      report('a press is one event', `${action}: ${own} events, and ${sure} to ${most} presses`);
  }
}

/** More than one repeat after the other. */
const MOST_TRIES = 20;

/** Returns the listed messages, and the counts of the same moment: a repeat may go out between two requests. */
async function atOneMoment(
  relay: Relay,
): Promise<{ readonly listed: readonly unknown[]; readonly stats: unknown }> {
  for (let tries = 1; ; tries += 1) {
    const before = await relay.list('/messages?limit=100');
    const { body: stats } = await relay.insist('GET', '/stats');
    const listed = await relay.list('/messages?limit=100');
    if (tries === MOST_TRIES || JSON.stringify(before) === JSON.stringify(listed)) return { listed, stats };
  }
}

const MIB = 1_048_576;
/** The size of an outbox that has little space, in MiB. */
export const SMALL_MIB = 2;
/** An event, its message, its attempts, and what is kept beside them. */
const BYTES_A_MESSAGE = 8_192;

const stateOf = (message: unknown): string => String(field(message, 'state'));

/** The totals of each account are those of its messages. */
function checkCounters(all: unknown, report: Report, listed: readonly unknown[]): void {
  for (const account of ['default', 'second']) {
    const stats = field(field(all, 'accounts'), account);
    const own = listed.filter((message) => field(message, 'account') === account);
    const count = (state: string): number => own.filter((message) => stateOf(message) === state).length;
    for (const state of IN_QUEUE) {
      const said = field(field(stats, 'queue'), state);
      if (said !== count(state))
        report(
          'counters equal what is listed',
          `${account}: ${String(said)} ${state}, and ${count(state)} listed`,
        );
    }
    const sent = field(field(stats, 'messages'), 'sent');
    if (sent !== count('sent'))
      report(
        'counters equal what is listed',
        `${account}: ${String(sent)} sent, and ${count('sent')} listed`,
      );
  }
}

/** Each item has one outcome for each receiver; what is said to be notified was sent. */
async function checkOutcomes(
  relay: Relay,
  report: Report,
  states: ReadonlyMap<unknown, string>,
): Promise<void> {
  const { body } = await relay.insist('GET', `/events?source=monitor&limit=${EVENTS}`);
  for (const event of [field(body, 'items')].flat()) {
    const id = field(event, 'id');
    if (typeof id !== 'string') continue;
    const { body: whole } = await relay.insist('GET', `/events/${id}`);
    const seen = new Set<string>();
    for (const item of [field(whole, 'items') ?? []].flat()) {
      const name = `${String(field(item, 'key'))} for ${String(field(item, 'phone'))}`;
      const outcome = String(field(item, 'outcome'));
      if (seen.has(name)) report('each item has one outcome for each receiver', name);
      seen.add(name);
      // An item that waits at quiet is held by the night, or by somebody who left a list.
      if (!DECIDED.has(outcome) && outcome !== 'waiting')
        report('an outcome is one of the known', `${name}: ${outcome}`);
      const state = states.get(field(item, 'message'));
      if (outcome === 'notified' && state !== 'sent')
        report('what an outcome calls notified was sent', `${name}: its message is ${state ?? 'nowhere'}`);
    }
  }
}
