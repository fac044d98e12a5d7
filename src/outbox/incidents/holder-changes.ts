import { personName } from '../../lib/person-name.ts';
import { titleOf } from '../../render/built-in-text.ts';
import type { DraftItem, DraftMessage, HolderChange } from '../state/acceptance.ts';
import { acknowledgeTold, giveBackTold } from './by-hand.ts';
import { nameOf, type Entry, type IncidentParts } from './entries.ts';
import type { OpenIncidents } from './open-incidents.ts';
import { readContent, writeIncident } from './store.ts';
import { toldBy } from './told.ts';
import { whoHasMessages, type HeldIncident } from './who-has.ts';

/** The incidents that one person has now, or has no longer. */
interface Heard {
  readonly route: string;
  readonly who: string | null;
  readonly holder: HolderChange;
  readonly incidents: HeldIncident[];
}

/**
 * The changes of one event in who has incidents. They do what a press does: an incident changes for all its receivers,
 * and those who know of it hear of it.
 */
export class HolderChanges {
  readonly #sql: SqlStorage;
  readonly #open: OpenIncidents;
  readonly #now: number;
  readonly #heard = new Map<string, Heard>();

  constructor(sql: SqlStorage, open: OpenIncidents, now: number) {
    this.#sql = sql;
    this.#open = open;
    this.#now = now;
  }

  /** Changes an incident. False: it is not open. */
  take(name: IncidentParts, holder: HolderChange, at: DraftItem['at']): boolean {
    const before = this.#openEntries(name);
    const [first] = before;
    if (first === undefined) return false;
    const had = first.incident.acknowledged;
    for (const { ref, incident: known, grouping } of before) {
      const told = at === undefined ? known.told : toldBy(known.told, { at: at.ms, isEnd: false });
      const heard = { ...known, told, heardAt: this.#now };
      const incident = holder.isBack
        ? giveBackTold(heard, this.#now)
        : acknowledgeTold(heard, holder.by, this.#now);
      writeIncident(this.#sql, ref, { known, incident, now: this.#now });
      this.#open.put(ref, incident, grouping, this.#now);
    }
    const has = this.#openEntries(name)[0]?.incident.acknowledged ?? null;
    const who = holder.isBack ? had : has;
    const isNews = holder.isBack ? had !== null && had.by !== has?.by : had === null;
    if (who !== null && isNews) this.#hear(name, holder, personName(who.by));
    return true;
  }

  /** The messages to those who know of the incidents. */
  messages(): readonly DraftMessage[] {
    return [...this.#heard.values()].flatMap(({ route, who, holder: { isBack, message }, incidents }) =>
      whoHasMessages(incidents, { route, who, not: null, isBack, only: null, ...message }),
    );
  }

  #openEntries(name: IncidentParts): readonly Entry[] {
    return this.#open.entriesOf(nameOf(name)).filter(({ incident }) => incident.resolvedAt === null);
  }

  #hear(name: IncidentParts, holder: HolderChange, who: string | null): void {
    const entries = this.#openEntries(name);
    const [first] = entries;
    const notified = entries.flatMap(({ ref: { phone }, incident: { believed } }) =>
      believed === 'closed' || phone === '' ? [] : [phone],
    );
    if (first === undefined || notified.length === 0) return;
    const { route, key } = name;
    const { event, value } = readContent(this.#sql, first.ref);
    const title = titleOf({ item: value, key, event });
    const of = JSON.stringify([route, holder.isBack, who]);
    const heard = this.#heard.get(of) ?? { route, who, holder, incidents: [] };
    heard.incidents.push({ key, title, state: 'open', notified });
    this.#heard.set(of, heard);
  }
}
