import '../../cli/facts.ts';
import { compileConfig } from '../../src/config/compile/compile.ts';
import type { LoadedConfig, Source } from '../../src/config/compiled/config.ts';
import type { Silence } from '../../src/config/compiled/alerting.ts';
import { EMPTY_SET } from '../../src/config/documents/schema.ts';
import type { WebhookEvent } from '../../src/ingest/request/event.ts';
import { routeEvent } from '../../src/ingest/routing/match.ts';
import { InForce } from '../../src/outbox/incidents/in-force.ts';
import { Incidents } from '../../src/outbox/incidents/incidents.ts';
import { freshRow } from '../../src/outbox/accept/rows.ts';
import { parseOwnJson } from '../../src/lib/own-json.ts';
import type { MessageRow } from '../../src/outbox/state/message.ts';
import type { AcceptedEvent } from '../../src/outbox/state/acceptance.ts';
import { compileCondition } from '../../src/template/condition.ts';
import { openStorage } from './database.ts';
import type { Post, Story } from './story.ts';

/** A message that somebody got. */
export interface Heard {
  /** After the beginning of the story (ms). */
  readonly at: number;
  readonly text: string;
}

const LIST = '{% for one in LIST %}{% if forloop.index > 1 %}, {% endif %}{{ one.item.name }}';
const names = (list: string, more = ''): string => `${LIST.replace('LIST', list)}${more}{% endfor %}`;
const LASTED = ' after {{ one.duration_ms | divided_by: 1000 | round | duration }}';

/** One line, so that a picture can show it. A digest has the built-in text. */
const MESSAGE = [
  '{{ count }} firing',
  '{% if new.size == 0 and resolved.size == 0 %}, still{% endif %}',
  `{% if new.size > 0 %}{% if new[0].flapping %}, flapping: {% else %}, new: {% endif %}${names('new')}{% endif %}`,
  `{% if resolved.size > 0 %}, resolved: ${names('resolved', LASTED)}{% endif %}`,
].join('');

/** On a day without a change of clocks (ms). */
const beginOf = ({ begins }: Story): number => Date.parse(`2026-03-02T${begins}:00Z`);

/** Plays the story by the outbox's own rules, with its own tables, and a clock that jumps from one event to the next. */
export function play(story: Story): readonly Heard[] {
  const begin = beginOf(story);
  const config = configOf(story, begin);
  const storage = openStorage();
  const heard: Heard[] = [];
  const queued: MessageRow[] = [];
  let now = begin;
  const incidents = new Incidents({
    storage,
    inForce: new InForce(storage.sql),
    policyIn: ({ accounts }) => defined(accounts.get('default')),
    updateAt: () => now,
    queue: ({ draft, origin }) => {
      const seq = heard.length + queued.length + 1;
      queued.push(freshRow(seq, now, origin, draft));
      return seq;
    },
    rewrite: (row, { draft, origin }) => ({ ...row, ...freshRow(row.seq, now, origin, draft) }),
    isUnderWay: () => false,
    hurry: () => undefined,
    onBeyond: () => undefined,
    onNobody: () => undefined,
    onMoved: () => undefined,
    onNotified: ({ params }) => {
      const { message = '' } = parseOwnJson<Readonly<Record<string, string>>>(params);
      heard.push({ at: now - begin, text: message });
    },
    wakeAt: () => undefined,
    account: () => 'default',
    clock: () => now,
  });
  /** All notifications that are due are made and sent before time goes on. */
  const settle = (): void => {
    incidents.ask();
    incidents.notify(config);
    for (const row of queued.splice(0)) {
      const reviewed = incidents.review(row, config);
      if (typeof reviewed !== 'string') incidents.record(reviewed, 'sent', 'sent');
    }
    if ((incidents.nextAt() ?? Infinity) <= now) settle();
  };
  const waiting = [...story.posts];
  for (;;) {
    now = Math.min(begin + (waiting[0]?.at ?? Infinity), incidents.nextAt() ?? Infinity);
    if (now > begin + story.lasts) return heard;
    const arriving = waiting.filter(({ at }) => begin + at === now);
    waiting.splice(0, arriving.length);
    if (arriving.length > 0) take(incidents, eventOf(defined(config.sources.get('alerts')), arriving, now));
    settle();
  }
}

function configOf({ route, list, spans = [], isSilenced }: Story, begin: number): LoadedConfig {
  const routes = [
    {
      name: 'on-call',
      each: 'payload.alerts',
      to: 'on-call',
      send: { kind: 'text', message: MESSAGE },
      ...route,
    },
  ];
  const set = {
    ...EMPTY_SET,
    sources: { alerts: { verify: { scheme: 'none' }, locale: 'en-GB', routes } },
    recipients: { 'on-call': { numbers: ['491713920001'], ...list } },
  };
  const { config, errors } = compileConfig(set, 1);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  const always = compileCondition('event.source == "alerts"');
  if (isSilenced === undefined || !always.ok) return config;
  const silences = spans.map(({ label, from, to }): Silence => ({
    id: label,
    of: null,
    when: always.value,
    from: begin + from,
    until: begin + to,
    every: null,
  }));
  return { ...config, silences };
}

const eventOf = (source: Source, arriving: readonly Post[], now: number): WebhookEvent => ({
  id: `evt_${now}`,
  source,
  type: null,
  receivedAt: now,
  dedupeKey: null,
  signed: null,
  payload: { alerts: arriving.map(({ name, is }) => ({ name, status: is })) },
  headers: {},
  query: {},
});

function take(incidents: Incidents, event: WebhookEvent): void {
  const items = routeEvent(event).flatMap(({ items: made = [] }) => made);
  const accepted: AcceptedEvent = {
    id: event.id,
    source: event.source.id,
    type: null,
    state: 'routed',
    reason: null,
    receivedAt: event.receivedAt,
    dedupe: null,
    itemWindowMs: 0,
    signed: null,
    payload: JSON.stringify(event.payload),
    headers: '{}',
    query: '{}',
    configVersion: 1,
    activation: 1,
    stored: true,
    replay: null,
  };
  incidents.take(accepted, items);
}

function defined<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the story’s configuration lacks something');
  return value;
}
