import { lookUntil } from '../eventually.ts';
import { settled, type Admin } from './canary-admin.ts';
import { nextPhone, payload } from './canary-payload.ts';
import { ECHO_NAMES } from './canary-servers.ts';
import type { CanaryStage } from './canary-stage.ts';
import { MESSAGE_TEXT, QUIET_TEXT } from './canary-values.ts';
import { post } from './canary-webhooks.ts';

/** The gateway's failures, one a receiver. */
const FAILURES: readonly object[] = [
  { failure: 'echo_secret' },
  { failure: 'echo_secret', status: 422 },
  { failure: 'echo_secret', status: 500 },
  { failure: 'html' },
  { failure: 'empty' },
  { failure: 'cut' },
  { failure: 'garbage' },
  { failure: 'huge', bytes: 1_000_000 },
  { failure: 'hang' },
  { failure: 'reset' },
  { failure: 'refused', message: 'never' },
  ...[302, 400, 404, 429, 500, 503].map((status) => ({ failure: 'status', status })),
  { failure: 'status', status: 429, headers: { 'retry-after': '1' } },
];

/** Sends messages to a gateway that fails in every way. Most of the failures repeat the login. */
export async function failDelivery(stage: CanaryStage, call: Admin): Promise<void> {
  const { ask, gateway } = stage;
  const failing = FAILURES.map((step) => ({ step, phone: nextPhone() }));
  await gateway.script(failing.map(({ step, phone }) => ({ ...step, match: { phone }, times: 3 })));
  await Promise.all(failing.map(({ phone }) => post(ask, 'orders', payload(MESSAGE_TEXT.value, phone))));
  await post(ask, 'quiet', payload(QUIET_TEXT.value));
  await Promise.all(ECHO_NAMES.map((name) => post(ask, 'odd', payload(name))));
  await settled(call, ['default', 'odd'], 15_000);
  await refuseLogin(stage, call);
}

/** The other account: its login is refused, it is paused, resumed, and its circuit opens. */
async function refuseLogin({ ask, gateway }: CanaryStage, call: Admin): Promise<void> {
  // A 403 is the account's own once a second message gets it.
  const pausing = [[401], [403, 403]];
  for (const statuses of pausing) {
    const steps = statuses.map((status) => ({
      failure: 'echo_secret',
      status,
      match: { phone: nextPhone() },
    }));
    await gateway.script(steps);
    for (const { match } of steps) await post(ask, 'leads', payload(MESSAGE_TEXT.value, match.phone));
    await untilPaused(call);
    await call('POST', '/accounts/sales/resume');
  }
  await settled(call, ['sales'], 5_000);
  await gateway.script([{ failure: 'echo_secret', status: 500, times: 4 }]);
  await post(ask, 'leads', payload(MESSAGE_TEXT.value));
  await post(ask, 'leads', payload(MESSAGE_TEXT.value));
  await settled(call, ['sales'], 5_000);
  await call('POST', '/accounts/sales/pause');
}

async function untilPaused(call: Admin): Promise<void> {
  const isPaused = async (): Promise<boolean> =>
    !(await call('GET', '/accounts/sales/status')).text.includes('"paused":null');
  if (!(await lookUntil(isPaused, Boolean, { eachMs: 30 }))) throw new Error('the account was not paused');
}
