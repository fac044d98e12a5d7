import { routeEvent } from '../../../../src/ingest/routing/match.ts';
import type { IncidentsBench, SentMessage } from '../bench.ts';
import { PEOPLE } from './configuration.ts';

/** A webhook of the night. */
interface NightEvent {
  readonly at: number;
  readonly payload: object;
}

/** Reads a line of `events.txt`: time, status, environment, cluster, service, alert, instances. */
function eventOf(line: string): NightEvent {
  const [time = '', status, env, cluster, service, alert, instances = ''] = line.split(' ');
  const shared = { status, env, cluster, service, alert };
  return {
    at: Date.parse(time),
    payload: { ...shared, alerts: instances.split(',').map((instance) => ({ ...shared, instance })) },
  };
}

/** Plays the events one after the other, each when its time has come, and lets `restMs` pass after the last. */
export async function replay(bench: IncidentsBench, text: string, restMs: number): Promise<void> {
  for (const [index, line] of text.trim().split('\n').entries()) {
    const { at, payload } = eventOf(line);
    await bench.pass(at - bench.now);
    const source = bench.config.sources.get('alerts');
    if (source === undefined) throw new Error('no source');
    const results = routeEvent({
      id: `evt_${index}`,
      source,
      type: null,
      receivedAt: at,
      dedupeKey: null,
      signed: null,
      payload,
      headers: {},
      query: {},
    });
    const failures = results.flatMap((result) => [...result.failures, ...(result.notes ?? [])]);
    if (failures.length > 0) throw new Error(`${line}: ${JSON.stringify(failures)}`);
    await bench.take(...results.flatMap(({ items = [] }) => items));
  }
  await bench.pass(restMs);
}

const FORMAT = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Berlin',
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});

/** Lists who was notified of what and when, in their zone, and the outcomes of the items. */
export function written(bench: IncidentsBench): string {
  const messages = bench.messages.filter(({ state }) => state === 'sent');
  const notified = Map.groupBy(messages, (message) => `${timeOf(message)}${textOf(message)}`);
  return [...[...notified.values()].map(messageText), summary(bench, messages)].join('\n');
}

/** The same message to several people. */
function messageText(messages: readonly SentMessage[]): string {
  const [first] = messages;
  if (first === undefined) return '';
  const people = messages.map(({ phone }) => nameOf(phone)).join(', ');
  return `${timeOf(first)}  ${people}\n${textOf(first)}`;
}

const timeOf = ({ at, about }: SentMessage): string =>
  `${FORMAT.format(at ?? Number.NaN)}${about?.form === 'digest' ? '  digest' : ''}`;

const textOf = ({ text, reason }: SentMessage): string =>
  [...(reason === null ? [] : [`! ${reason}`]), ...text.trim().split('\n')]
    .map((line) => `  ${line}`.trimEnd() + '\n')
    .join('');

const nameOf = (phone: string | null): string => PEOPLE.get(phone ?? '') ?? '?';

const counted = (texts: readonly string[]): string =>
  [...Map.groupBy(texts, (text) => text)]
    .toSorted(([one], [other]) => one.localeCompare(other, 'en'))
    .map(([text, all]) => `${all.length} ${text}`)
    .join(', ');

const summary = (bench: IncidentsBench, messages: readonly SentMessage[]): string =>
  [
    `Messages: ${counted(messages.map(({ phone }) => nameOf(phone)))}`,
    `Items: ${counted(bench.outcomes)}`,
    `Open: ${bench.incidents.open.size}`,
    '',
  ].join('\n');
