import { compileConfig } from '../../../src/config/compile.ts';
import type { LoadedConfig } from '../../../src/config/config.ts';
import { EMPTY_SET } from '../../../src/config/schema.ts';
import { entryKey, type Place } from '../../../src/outbox/incidents/board.ts';
import { fateOf, type Incident } from '../../../src/outbox/incidents/incident.ts';
import { Incidents, type TellingDrafts } from '../../../src/outbox/incidents/incidents.ts';
import { outcomeOf } from '../../../src/outbox/incidents/item-views.ts';
import { readIncident, silenceScope } from '../../../src/outbox/incidents/store.ts';
import type { About, DraftItem } from '../../../src/outbox/state/acceptance.ts';
import { accepted } from '../support.ts';

/** A message of the bench: what the outbox would send. */
export interface ToldMessage {
  readonly seq: number;
  readonly phone: string | null;
  /** When it was queued last (ms). */
  at: number;
  text: string;
  reason: string | null;
  about: About | null;
  state: 'waiting' | 'sent' | 'cancelled';
}

/** An item that was accepted, and which of its incident it is. */
interface AcceptedItem {
  readonly place: Place;
  readonly n: number;
}

export const PHONE = '4915112345678';

/** The template that the bench's routes use: one line for each incident that is new or has ended. */
export const LINES =
  '{% for one in new %}+{{ one.item.name }} {% endfor %}{% for one in resolved %}-{{ one.item.name }} {% endfor %}={{ count }}';

/** A route of the source `alerts`. */
export const route = (over: object = {}): object => ({
  name: 'on-call',
  each: 'payload.alerts',
  to: PHONE,
  incident: { key: '{{ item.name }}', resolved: 'item.status == "resolved"' },
  send: { kind: 'text', message: LINES },
  ...over,
});

/** A set with these routes. */
export const setOf = (routes: readonly object[], over: object = {}): object => ({
  ...EMPTY_SET,
  sources: { alerts: { verify: { scheme: 'none' }, routes } },
  ...over,
});

/** The incidents of one object with its own tables, a clock that is set, and messages that are sent when told to. */
export class IncidentsBench {
  readonly #storage: DurableObjectStorage;
  #config: LoadedConfig;
  #incidents: Incidents;
  #version = 1;
  now = Date.UTC(2026, 6, 1, 12); // fixed date: its own clock
  /** Whether messages are sent as soon as they are queued. */
  isSending = true;
  wakesAt: number | null = null;
  readonly messages: ToldMessage[] = [];
  readonly items: AcceptedItem[] = [];
  #events = 0;

  /** `routes`: of the source `alerts`; or a whole set. */
  constructor(
    storage: DurableObjectStorage,
    routes: readonly object[] | object = [route()],
    over: object = {},
  ) {
    this.#storage = storage;
    storage.sql.exec('DELETE FROM items');
    storage.sql.exec('DELETE FROM tellers');
    this.#config = this.#compile(Array.isArray(routes) ? setOf(routes, over) : routes);
    this.#incidents = this.#start();
  }

  get incidents(): Incidents {
    return this.#incidents;
  }

  /** The configuration in force. */
  get config(): LoadedConfig {
    return this.#config;
  }

  /** Another configuration is in force. */
  async publish(routes: readonly object[], over: object = {}): Promise<void> {
    this.#version += 1;
    this.#config = this.#compile(setOf(routes, over));
    this.#incidents.lookAtAll();
    await this.run();
  }

  /** Items come in, in one event. */
  async take(...items: readonly Partial<DraftItem>[]): Promise<void> {
    this.#events += 1;
    const event = { ...accepted(), id: `evt_${this.#events}`, source: 'alerts', receivedAt: this.now };
    const drafts = items.map((item, index) => draftItem({ index: index + 1, ...item }));
    const arrivals = this.#incidents.arrivals(this.now);
    const { references } = this.#storage.transactionSync(() => arrivals.take(event, drafts));
    arrivals.apply();
    for (const [name, index, key, phone, n] of references)
      this.items.push({
        place: { source: 'alerts', route: name, key: key ?? `${event.id}:${index}`, phone: phone ?? '' },
        n,
      });
    await this.run();
  }

  fire = (...names: readonly string[]): Promise<void> => this.take(...names.map((name) => item(name)));
  resolve = (...names: readonly string[]): Promise<void> =>
    this.take(...names.map((name) => item(name, { isResolved: true })));

  /** Looks at what is due, and sends, until nothing more happens now. */
  async run(): Promise<void> {
    for (let runs = 0; ; runs += 1) {
      if (runs > 10_000) throw new Error('always something to send');
      await this.#incidents.run();
      const [next] = this.isSending ? this.waiting : [];
      if (next === undefined) return;
      next.state = 'sent';
      this.#incidents.gone(next.seq);
    }
  }

  /** Time goes on: the alarm rings whenever it is due. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    for (let runs = 0; ; runs += 1) {
      if (runs > 10_000) throw new Error('an alarm that is always due');
      const at = this.#incidents.nextAt();
      if (at === null || at > end) break;
      this.now = Math.max(this.now, at);
      await this.run();
    }
    this.now = end;
  }

  /** The object is stopped without a warning, and starts again from its rows. */
  async crash(): Promise<void> {
    this.#incidents = this.#start();
    this.#incidents.lookAtAll();
    await this.run();
  }

  get waiting(): readonly ToldMessage[] {
    return this.messages.filter(({ state }) => state === 'waiting');
  }

  /** What the receiver got, in order. */
  get told(): readonly string[] {
    return this.messages.filter(({ state }) => state === 'sent').map(({ text }) => text.trim());
  }

  /** The outcome of each item, in the order in which they came. */
  get outcomes(): readonly string[] {
    return this.items.map(({ place, n }) => outcomeOf(fateOf(this.incident(place), n), n));
  }

  incident(place: Place): Incident {
    const incident = readIncident(this.#storage.sql, place);
    if (incident === null) throw new Error(`no row: ${entryKey(place)}`);
    return incident;
  }

  #compile(set: object): LoadedConfig {
    const { config, errors } = compileConfig({ ...EMPTY_SET, ...set }, this.#version);
    if (errors.length > 0) throw new Error(JSON.stringify(errors));
    return config;
  }

  #start(): Incidents {
    const sql = this.#storage.sql;
    return new Incidents({
      onMoved: () => undefined,
      onTold: () => undefined,
      storage: this.#storage,
      config: () => Promise.resolve(this.#config),
      policyIn: (config) => {
        const policy = config.accounts.get('default');
        if (policy === undefined) throw new Error('no account');
        return policy;
      },
      updateAt: (_, __, now) => now,
      isWaiting: (seq) => this.messages.some((one) => one.seq === seq && one.state === 'waiting'),
      queue: (telling, also) => this.#queue(telling, also),
      replace: (seq, telling, also) => this.#replace(seq, telling, also),
      scopeOf: (place) => silenceScope(sql, place),
      wakeAt: (at) => (this.wakesAt = at),
      account: () => 'default',
      clock: () => this.now,
    });
  }

  #queue({ drafts }: TellingDrafts, also: (seq: number) => void): number {
    const first = this.messages.length + 1;
    this.#storage.transactionSync(() => also(first));
    for (const [index, draft] of drafts.entries())
      this.messages.push({ seq: first + index, ...shown(draft), at: this.now, state: 'waiting' });
    return first;
  }

  #replace(seq: number, telling: TellingDrafts | null, also?: () => void): number {
    const message = this.messages.find((one) => one.seq === seq);
    if (message === undefined) throw new Error('no message');
    this.#storage.transactionSync(() => also?.());
    const [draft] = telling?.drafts ?? [];
    if (draft === undefined) message.state = 'cancelled';
    else Object.assign(message, { ...shown(draft), at: this.now });
    return seq;
  }
}

const shown = ({ phone, params, reason, about }: TellingDrafts['drafts'][number]) => ({
  phone,
  text: params['message'] ?? params['text'] ?? '',
  reason: reason ?? null,
  about: about ?? null,
});

export const item = (name: string, over: Partial<DraftItem> = {}): Partial<DraftItem> => ({
  key: name,
  value: JSON.stringify({ name }),
  ...over,
});

const draftItem = (over: Partial<DraftItem>): DraftItem => ({
  route: 'on-call',
  index: 1,
  phones: [PHONE],
  key: null,
  isResolved: false,
  flapping: null,
  group: null,
  inhibitedBy: [],
  value: '{}',
  ...over,
});
