/** Each test file has a deployment of its own in the runtime that it shares: objects, configuration, simulated phone. */
import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll } from 'vitest';
import { bindingsOf } from './deployed.ts';
import { shortenPluginOptions } from './plugin-options.ts';

const TAKEN = Symbol.for('hookbell.deployments');
const place: typeof globalThis & { [TAKEN]?: number } = globalThis;

const n = place[TAKEN] ?? 0;
place[TAKEN] = n + 1;
Object.assign(env, bindingsOf(env, n));
shortenPluginOptions();

const control = new URL('/_control/calls', String(Reflect.get(env, 'GATEWAY_BASE_URL')));
await fetch(control, { method: 'DELETE' });

// No alarm of this file rings in the next one.
afterAll(reset);
