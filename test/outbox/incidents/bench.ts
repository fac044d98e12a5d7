import { compileConfig } from '../../../src/config/compile/compile.ts';
import type { LoadedConfig } from '../../../src/config/compiled/config.ts';
import { EMPTY_SET } from '../../../src/config/documents/schema.ts';
import { ONLY_COUNTED, OUTDATED, RESOLVES_NOTHING } from '../../../src/outbox/incidents/arrivals.ts';
import { freshRow, insertMessage, rewriteMessage } from '../../../src/outbox/accept/rows.ts';
import type { IncidentRef } from '../../../src/outbox/incidents/entries.ts';
import { type Incident, outcomeIn, runOf } from '../../../src/outbox/incidents/incident.ts';
import { Incidents } from '../../../src/outbox/incidents/incidents.ts';
import type { Ended } from '../../../src/outbox/incidents/record.ts';
import { readIncident } from '../../../src/outbox/incidents/store.ts';
import { isSuppressedIn } from '../../../src/outbox/incidents/rules.ts';
import { parseOwnJson } from '../../../src/lib/json.ts';
import type { Attempt, MessageRow } from '../../../src/outbox/state/message.ts';
import type { About, AcceptedEvent, DraftItem, Drafts } from '../../../src/outbox/state/acceptance.ts';
import { NOBODY } from '../samples.ts';
import { accepted } from '../support.ts';

/** A message of the bench, as its row is. */
export interface SentMessage {
  readonly seq: number;
  readonly phone: string | null;
  /** The time when its last call began (ms). Null if there was none. */
  readonly at: number | null;
  readonly text: string;
  readonly reason: string | null;
  readonly about: About | null;
  readonly state: string;
}

/** The ways in which a call of the bench ends. */
export type CallEnds =
  'sent' | 'refused for good' | 'failed' | 'uncertain' | 'dead and uncertain' | 'left to a person';

const ENDS: Readonly<Record<CallEnds, { readonly state: Ended; readonly outcome: Attempt['outcome'] }>> = {
  sent: { state: 'sent', outcome: 'sent' },
  'refused for good': { state: 'dead', outcome: 'rejected' },
  failed: { state: 'retrying', outcome: 'server_error' },
  uncertain: { state: 'retrying', outcome: 'uncertain' },
  'dead and uncertain': { state: 'dead', outcome: 'uncertain' },
  'left to a person': { state: 'uncertain', outcome: 'uncertain' },
};

const LINKS = { account: () => 'default', key: 'key', publicUrl: 'https://relay.example' };

/** An item that was accepted, and which of its incident it is. */
interface AcceptedItem {
  readonly ref: IncidentRef;
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
  sources: { alerts: { verify: { scheme: 'basic' }, secrets: ['NOTIFY_ALERTS'], routes } },
  ...over,
});

/** The incidents of one object with its own tables, a clock that is set, and messages that are sent when a test says so. */
export class IncidentsBench {
  readonly #storage: DurableObjectStorage;
  /** The configuration in force. */
  config: LoadedConfig;
  #incidents: Incidents;
  #version = 1;
  now = Date.UTC(2026, 6, 1, 12); // fixed date: its own clock
  /** True if messages are sent as soon as they are queued. */
  isSending = true;
  /** The way in which calls end from now on; null: they do not end, see {@link end}. */
  ends: CallEnds | null = 'sent';
  /** The messages; in the table only while the incidents are read. The object itself would send them. */
  readonly #rows: MessageRow[] = [];
  /** The numbers of those that are being sent. */
  #calls: number[] = [];
  /** Calls that ended and could not be recorded: the loop tries again before anything else. */
  #unrecorded: { readonly seq: number; readonly record: () => void }[] = [];
  /** No message can be queued for this number; null: messages can be queued for everybody. */
  poisoned: string | null = null;
  onWake: (at: number) => void = () => undefined;
  /** Of the configuration that routes what comes. */
  activation = 0;
  /** The number of times that the owner was to be notified that items are only counted. */
  beyond = 0;
  /** The incidents, with the step that had no receivers. */
  readonly nobody: string[] = [];
  /** The messages that were to be sent and wait until the configuration in force is read. */
  readonly postponed: number[] = [];
  readonly items: AcceptedItem[] = [];
  #events = 0;

  /** `routes`: of the source `alerts`; or a whole set. */
  constructor(
    storage: DurableObjectStorage,
    routes: readonly object[] | object = [route()],
    over: object = {},
  ) {
    this.#storage = storage;
    for (const table of [
      'incidents',
      'subscribers',
      'beyond',
      'early',
      'messages',
      "meta WHERE key <> 'key'",
    ])
      storage.sql.exec(`DELETE FROM ${table}`);
    this.config = this.#compile(Array.isArray(routes) ? setOf(routes, over) : routes);
    this.#incidents = this.#start();
  }

  get incidents(): Incidents {
    return this.#incidents;
  }

  /** Another configuration is in force. */
  async publish(routes: readonly object[], over: object = {}): Promise<void> {
    this.#version += 1;
    this.config = this.#compile(setOf(routes, over));
    this.#incidents.lookAtAll();
    await this.run();
  }

  /** These receivers have opted out, and nobody else. */
  async optOut(...phones: readonly string[]): Promise<void> {
    this.config = { ...this.config, suppressions: phones.join('\n') };
    this.#incidents.lookAtAll();
    await this.run();
  }

  /** Items come in, in one event. */
  take = (...items: readonly Partial<DraftItem>[]): Promise<void> => this.#take({}, items);

  /** An event is replayed that came at this time (ms). */
  replay = (at: number, ...items: readonly Partial<DraftItem>[]): Promise<void> =>
    this.#take({ replay: { of: 'evt_0', by: 'anna', at } }, items);

  async #take(over: Partial<AcceptedEvent>, items: readonly Partial<DraftItem>[]): Promise<void> {
    this.#events += 1;
    const { now: receivedAt, activation } = this;
    const id = `evt_${this.#events}`;
    const event = { ...accepted(), id, source: 'alerts', receivedAt, activation, ...over };
    const drafts = items.map((item, index) => draftItem({ index: index + 1, ...item }));
    const { references, messages } = this.#incidents.within(() =>
      this.#storage.transactionSync(() => this.#incidents.take(event, drafts)),
    );
    const origin = { event: id, source: 'alerts', since: receivedAt, configVersion: this.#version };
    for (const draft of messages) this.#queue({ drafts: [draft], origin });
    for (const [name, index, key, phone, n] of references)
      this.items.push({
        ref: { source: 'alerts', route: name, key: key ?? `${event.id}:${index}`, phone: phone ?? '' },
        n,
      });
    await this.run();
  }

  fire = (...names: readonly string[]): Promise<void> => this.take(...names.map((name) => item(name)));
  resolve = (...names: readonly string[]): Promise<void> =>
    this.take(...names.map((name) => item(name, { isResolved: true })));

  /** Looks at what is due, and sends, until nothing more happens now. */
  async run(): Promise<void> {
    this.#recordAgain();
    for (let runs = 0; ; runs += 1) {
      if (runs > 10_000) throw new Error('always something to send');
      this.#incidents.ask();
      this.#incidents.notify();
      await Promise.resolve();
      const [next] = this.isSending ? this.waiting : [];
      if (next === undefined) return;
      this.#claim(next.seq);
    }
  }

  #recordAgain(): void {
    for (const { record } of this.#unrecorded.splice(0)) record();
  }

  /** Retries what failed. */
  async retry(): Promise<void> {
    this.#recordAgain();
    for (const row of this.#rows) if (row.state === 'retrying') row.state = 'queued';
    await this.run();
  }

  /** The calls that are under way end. */
  async end(how: CallEnds): Promise<void> {
    for (const seq of this.#calls.splice(0)) this.#end(this.#row(seq), how);
    await this.run();
  }

  /** The calls that are under way turn out not to have been made. */
  async noCall(): Promise<void> {
    for (const seq of this.#calls.splice(0)) this.#incidents.putBack(this.#row(seq));
    await this.run();
  }

  #claim(seq: number): void {
    const row = this.#row(seq);
    if (isSuppressedIn(this.config, row)) return this.#finish(row, 'suppressed');
    const reviewed = this.#incidents.review(row);
    if (reviewed === null) return;
    Object.assign(row, reviewed, { created_at: this.now });
    if (this.ends === null) this.#calls.push(seq);
    else this.#end(row, this.ends);
  }

  #end(row: MessageRow, how: CallEnds): void {
    const { state, outcome } = ENDS[how];
    const attempt = { n: 1, at: this.now, duration_ms: 0, outcome };
    const attempts = JSON.stringify([...parseOwnJson<readonly object[]>(row.attempts), attempt]);
    const record = (): void => {
      this.#storage.transactionSync(() => this.#incidents.record(row, state, outcome));
      Object.assign(row, { attempts, state });
    };
    try {
      record();
    } catch (thrown) {
      this.#unrecorded.push({ seq: row.seq, record });
      this.#readAgain();
      throw thrown;
    }
  }

  #row(seq: number): MessageRow {
    const row = this.#rows[seq - 1];
    if (row === undefined) throw new Error('no message');
    return row;
  }

  get #sql(): SqlStorage {
    return this.#storage.sql;
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

  /** A person cancels a message that waits, or it expires. */
  cancel(seq: number, as: 'cancelled' | 'expired' = 'cancelled'): void {
    this.#finish(this.#row(seq), as);
  }

  /** Without a call. */
  #finish(row: MessageRow, state: 'cancelled' | 'expired' | 'suppressed'): void {
    row.state = state;
    this.#storage.transactionSync(() => this.#incidents.record(row, state, null));
  }

  /** The object is stopped without a warning, and starts again from its rows. It has not read its configuration. */
  restart(): void {
    this.#incidents = this.#start();
    this.#readAgain();
  }

  /** Memory is read from the rows. */
  #readAgain(): void {
    this.#write(this.#rows.filter(({ state }) => state !== 'sent'));
    void this.#incidents.open;
    this.#sql.exec('DELETE FROM messages');
  }

  /** It is restarted, and goes on. */
  async crash(): Promise<void> {
    this.restart();
    // A message that was being sent may have arrived.
    for (const seq of this.#calls.splice(0)) this.#end(this.#row(seq), 'uncertain');
    this.#incidents.lookAtAll();
    await this.run();
  }

  /** A message as its row is, by its number. */
  rowOf = (seq: number): MessageRow => this.#row(seq);

  get messages(): readonly SentMessage[] {
    return this.#rows.map(({ seq, phone, params, reason, about, state, attempts, created_at: at }) => ({
      seq,
      phone,
      at: attempts === '[]' ? null : at,
      text: textOf(params),
      reason,
      about: about === null ? null : parseOwnJson<About>(about),
      state,
    }));
  }

  get waiting(): readonly SentMessage[] {
    return this.messages.filter(({ state, seq }) => state === 'queued' && !this.#calls.includes(seq));
  }

  /** The texts that receivers got, in order. */
  get sent(): readonly string[] {
    return this.messages.filter(({ state }) => state === 'sent').map(({ text }) => text.trim());
  }

  /** The outcome of each item, in the order in which they came. */
  get outcomes(): readonly string[] {
    return this.items.map(({ ref, n }) => {
      if (n === RESOLVES_NOTHING) return 'resolved';
      if (n === OUTDATED) return 'outdated';
      return n === ONLY_COUNTED ? 'summarized' : outcomeIn(runOf(this.incident(ref), n), n);
    });
  }

  incident(ref: IncidentRef): Incident {
    const incident = readIncident(this.#sql, ref);
    if (incident === null) throw new Error(`no row: ${JSON.stringify(ref)}`);
    return incident;
  }

  #compile(set: object): LoadedConfig {
    const { config, errors } = compileConfig({ ...EMPTY_SET, ...set }, this.#version);
    if (errors.length > 0) throw new Error(JSON.stringify(errors));
    return config;
  }

  #start(): Incidents {
    const inForce = (): LoadedConfig => this.config;
    return new Incidents({
      ...NOBODY,
      sql: this.#sql,
      config: {
        get known() {
          return inForce();
        },
        inForce,
        policyIn: (config) => {
          const policy = config.accounts.get('default');
          if (policy === undefined) throw new Error('no account');
          return policy;
        },
      },
      claims: {
        ...NOBODY.claims,
        flight: { has: (seq) => [...this.#calls, ...this.#unrecorded.map((one) => one.seq)].includes(seq) },
      },
      messages: {
        queue: (message, also) => this.#queue(message, also),
        rewrite: (row, draft, origin) => rewriteMessage(this.#sql, row, draft, origin, LINKS),
        hurry: (seq) => {
          const row = this.#row(seq);
          if (row.state === 'retrying') row.state = 'queued';
        },
        postpone: ({ seq }) => this.postponed.push(seq),
        end: (row, { state }) => (row.state = state),
      },
      owner: {
        first: ([kind, ...values]) => {
          if (kind === 'incidents.beyond') this.beyond += 1;
          else this.nobody.push(values.join(' '));
        },
      },
      alarm: { bringForward: (at) => void (at !== null && this.onWake(at)) },
      clock: () => this.now,
    });
  }

  #queue({ drafts, origin }: Drafts, also?: () => void): number {
    const nextSeq = this.#rows.length + 1;
    for (const [index, draft] of drafts.entries()) {
      if (draft.phone === this.poisoned) throw new Error('it cannot be queued');
      this.#rows.push(freshRow(nextSeq + index, this.now, origin, draft, LINKS));
    }
    also?.();
    return nextSeq;
  }

  #write(rows: readonly MessageRow[]): void {
    for (const row of rows) {
      insertMessage({ sql: this.#sql, now: this.now }, row);
      this.#sql.exec(
        'UPDATE messages SET state = ?, attempts = ? WHERE seq = ?',
        row.state,
        row.attempts,
        row.seq,
      );
    }
  }
}

function textOf(params: string): string {
  const { message, text } = parseOwnJson<Readonly<Record<string, string>>>(params);
  return message ?? text ?? '';
}

export const item = (name: string, over: Partial<DraftItem> = {}): Partial<DraftItem> => ({
  key: name,
  value: JSON.stringify({ name }),
  ...over,
});

const draftItem = (over: Partial<DraftItem>): DraftItem => ({
  route: 'on-call',
  index: 1,
  place: over.index ?? 1,
  phones: [PHONE],
  key: null,
  isResolved: false,
  flapping: null,
  group: null,
  inhibitedBy: [],
  value: '{}',
  ...over,
});
