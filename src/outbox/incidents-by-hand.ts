import { log } from '../lib/log.ts';
import type { IncidentParts } from './incidents/entries.ts';
import { incidentOf } from './incidents/incident-id.ts';
import type { Incidents } from './incidents/incidents.ts';
import type { Loop } from './loop.ts';
import { readIncidents, type IncidentView } from './read/incidents.ts';
import type { ReadContext } from './read/read.ts';
import type { Acceptance, Receipt } from './state/acceptance.ts';

interface IncidentsByHandDeps {
  readonly incidents: Incidents;
  readonly loop: Pick<Loop<Acceptance, Receipt>, 'now'>;
  readonly read: () => ReadContext;
}

/** What people see of incidents and do with them. */
export class IncidentsByHand {
  readonly #deps: IncidentsByHandDeps;

  constructor(deps: IncidentsByHandDeps) {
    this.#deps = deps;
  }

  /** See {@link readIncidents}. */
  read(
    ids: readonly string[],
    options: { readonly limit: number; readonly isWhole: boolean },
  ): readonly IncidentView[] {
    const { incidents, read } = this.#deps;
    return readIncidents({ ...read(), heldOf: (ref) => incidents.open.get(ref)?.held ?? null }, ids, options);
  }

  /** A person has an incident. False: it is not open here; null: it is not known. `by`: who asked. */
  acknowledge(id: string, by: string): boolean | null {
    const { incidents } = this.#deps;
    return this.#change(id, by, 'incident.acknowledged', (name) => incidents.acknowledge(name, by));
  }

  /** Resolves an incident. False: it is not open here; null: it is not known. `by`: who asked. */
  resolve(id: string, by: string): boolean | null {
    const { incidents } = this.#deps;
    return this.#change(id, by, 'incident.resolved', (name) => incidents.close(name));
  }

  #change(
    id: string,
    by: string,
    stage: 'incident.acknowledged' | 'incident.resolved',
    change: (name: IncidentParts) => boolean,
  ): boolean | null {
    const name = incidentOf(id);
    if (name === null || this.read([id], { limit: 1, isWhole: false }).length === 0) return null;
    const { loop, read } = this.#deps;
    const isChanged = loop.now(() => change(name));
    const { source, route } = name;
    const { account } = read();
    if (isChanged) log('info', stage, { incident: id, source, route, account, by });
    return isChanged;
  }
}
