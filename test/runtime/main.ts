/**
 * The relay as a runtime with several deployments has it: each test file has one for itself. The classes of all of them are
 * added by `deployments.ts`, since a module must write each name that it exports.
 */
import { Outbox, Registry } from '../../src/worker.ts';
import { deployed } from './deployed.ts';

export { default } from '../../src/worker.ts';
export const outboxOf = (n: number): typeof Outbox => deployed(Outbox, n);
export const registryOf = (n: number): typeof Registry => deployed(Registry, n);
