/**
 * The relay of a runtime with several deployments: each test file has one for itself. `deployments.ts` adds the exports
 * `Outbox0`, `Registry0` and so on, since a module must write each name that it exports.
 */
import { Outbox, Registry } from '../../src/worker.ts';
import { envOf } from './deployed.ts';

export { default } from '../../src/worker.ts';

/** The class of deployment `n`. Its objects see only that deployment, whatever file runs when they wake up. */
export const outboxOf = (n: number): typeof Outbox =>
  class extends Outbox {
    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, envOf(env, n));
    }
  };

/** The same for the registry. */
export const registryOf = (n: number): typeof Registry =>
  class extends Registry {
    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, envOf(env, n));
    }
  };
