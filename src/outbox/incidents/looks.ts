import type { LoadedConfig } from '../../config/compiled/config.ts';
import { lazyConfig } from '../../config/lazy-config.ts';
import { EMPTY_SET } from '../../config/documents/schema.ts';
import type { Beyond } from './beyond.ts';
import { Look, type IncidentsDeps } from './context.ts';
import type { OpenIncidents } from './open-incidents.ts';
import { lookAtReceivers } from './receivers.ts';

/** Looks at the open incidents by the configuration in force. */
export class Looks {
  readonly #deps: IncidentsDeps;
  readonly #beyond: Beyond;
  #config: LoadedConfig | null = null;
  #isBehind = false;

  constructor(deps: IncidentsDeps, beyond: Beyond) {
    this.#deps = deps;
    this.#beyond = beyond;
  }

  /** True if the last configuration that was to be used is not in force any more. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Looks by the configuration that was used last. Before any was used, no route is known. */
  byLast(open: OpenIncidents): Look {
    return this.#look(open, this.#config ?? lazyConfig(EMPTY_SET, 0));
  }

  /**
   * Looks by this configuration; null if it is not in force any more, so it is not used. If it is new, or a handover is
   * due, everything is looked at again.
   */
  by(config: LoadedConfig, open: OpenIncidents): Look | null {
    const { inForce } = this.#deps;
    this.#isBehind = inForce.isOlder(config);
    if (this.#isBehind) return null;
    inForce.expect(config.activation);
    const isNew = config !== this.#config;
    this.#config = config;
    const look = this.#look(open, config);
    if (isNew || open.handoverAt <= look.now) {
      open.handoverAt = Infinity;
      open.lookAtAll(look.now);
      lookAtReceivers(look);
    }
    return look;
  }

  #look(open: OpenIncidents, config: LoadedConfig): Look {
    return new Look({ deps: this.#deps, open, beyond: this.#beyond, config, now: this.#deps.clock() });
  }
}
