import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import text from '../../assets/facts.json?raw';
import { providers } from '../platform/providers.ts';
import { bindings } from '../bindings.ts';
import { setOf } from './support.ts';

const START = Date.now();

/** The Worker's modules as an isolate has them that has just started: without the facts. */
beforeEach(() => void vi.resetModules());
const readFactsAnew = async () => (await import('../../src/config/compiled/facts.ts')).readFacts;
const loadConfigAnew = async () => (await import('../../src/config/load.ts')).loadConfig;
const library = () => import('../../src/phone/read.ts');

/** A deployment whose assets answer so, one after the other; the last one goes on. */
function deployment(...answers: readonly (() => Promise<Response>)[]) {
  const watch = { reads: 0, addresses: new Set<string>(), configReads: 0 };
  const fetch = async (address: string): Promise<Response> => {
    const answer = answers[Math.min(watch.reads, answers.length - 1)];
    watch.reads += 1;
    watch.addresses.add(address);
    return answer === undefined ? new Response(null, { status: 404 }) : answer();
  };
  const get = async (): Promise<null> => {
    watch.configReads += 1;
    return null;
  };
  return { env: bindings({ ASSETS: { fetch }, CONFIG: { get } }), watch };
}

const there = async (): Promise<Response> => new Response(text);
const missing = async (): Promise<Response> => new Response('not found', { status: 404 });

/** The lines of the log that are errors, for as long as the test runs. */
function errorsLogged(): readonly unknown[] {
  const lines: unknown[] = [];
  const spy = vi.spyOn(console, 'error').mockImplementation((line: unknown) => {
    lines.push(typeof line === 'string' ? JSON.parse(line) : line);
  });
  onTestFinished(() => spy.mockRestore());
  return lines;
}

it('the facts in an isolate that has just started are not there: to read a number or a source then is a bug, and says so', async () => {
  const { findProvider } = await import('../../src/provider/provider.ts');
  expect(() => findProvider('stripe')).toThrow('the providers have not been read: await `loadConfig`');
  const { habitsOf, readNumber } = await library();
  expect(() => readNumber('4915112345678')).toThrow('await `loadConfig` or `readFacts` first');
  expect(() => habitsOf('DE')).toThrow('the numbering plans have not been read');
});

it('an isolate that has just started reads the facts to announce what was published', async () => {
  const { announce } = await import('../../src/outbox/many-outboxes.ts');
  const { env } = deployment(there);
  const heard: string[] = [];
  const getByName = (name: string) => ({ useConfig: async () => void heard.push(name) });
  const set = setOf({ accounts: { default: {}, sales: { gateway: 'telegram' } } });
  await announce(
    { ...env, ...bindings({ OUTBOX: { getByName } }) },
    JSON.stringify({ activation: 1, version: 1, set }),
  );
  expect(heard.toSorted()).toEqual(['default', 'sales']);
});

it('the facts in an isolate that has just started are read once for all that need them, and never again', async () => {
  const readFacts = await readFactsAnew();
  const { env, watch } = deployment(there);
  let reported = 0;
  await Promise.all(Array.from({ length: 50 }, async () => readFacts(env, START, () => (reported += 1))));
  expect([watch.reads, reported, ...watch.addresses]).toEqual([1, 1, 'https://assets.invalid/facts.json']);
  expect(readFacts(env, START + 60_000)).toBeNull();
  expect((await library()).readNumber('49015112345678')?.number).toBe('+4915112345678');
  const { parseFacts } = await import('../../src/config/compiled/facts.ts');
  expect({ ...parseFacts(text).providers }).toEqual(Object.fromEntries(providers));
});

it('the facts in an isolate that has just started come with the configuration, and both are asked for at once', async () => {
  const loadConfig = await loadConfigAnew();
  const answer = Promise.withResolvers<Response>();
  const { env, watch } = deployment(() => answer.promise);
  let reported = 0;
  const config = loadConfig(env, START, () => (reported += 1));
  expect(watch).toMatchObject({ reads: 1, configReads: 1 });
  answer.resolve(await there());
  expect((await config).version).toBe(0);
  expect(reported).toBe(2);
  expect((await library()).plans.known).not.toBeNull();
});

/** What the assets answer, and the line in the log. */
const BROKEN: readonly (readonly [() => Promise<Response>, error: string])[] = [
  [missing, 'Error: asset /facts.json: status 404; deploy again, with the folder `assets`'],
  [async () => new Response(text.slice(0, 1_000)), 'SyntaxError'],
  [async () => Promise.reject(new Error('network')), 'Error: network'],
];

it('facts that cannot be read are an error, logged once, and the next caller asks again', async () => {
  for (const [answer, error] of BROKEN) {
    vi.resetModules();
    const readFacts = await readFactsAnew();
    const { env } = deployment(answer, there);
    const logged = errorsLogged();
    const failed = await Promise.allSettled([readFacts(env, START), readFacts(env, START)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(logged).toEqual([
      { stage: 'facts.read.failed', error: expect.stringContaining(error) as unknown },
    ]);
    await readFacts(env, START);
    expect((await library()).plans.known).not.toBeNull();
  }
});

it('facts that cannot be read since the request that asked was cancelled are waited for two seconds, and asked for again then', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const readFacts = await readFactsAnew();
  const { env, watch } = deployment(() => new Promise(() => undefined), there);
  const waits = Promise.allSettled([readFacts(env, START), readFacts(env, START + 1_999)]);
  await vi.advanceTimersByTimeAsync(2_000);
  const reason = new Error('the facts on phone numbers and providers did not arrive in time');
  expect(await waits).toMatchObject([{ reason }, { status: 'rejected' }]);
  expect(watch.reads).toBe(1);
  await readFacts(env, START + 2_000);
  expect(watch.reads).toBe(2);
});

it('facts that cannot be read leave the configuration unread, also one that is known', async () => {
  const loadConfig = await loadConfigAnew();
  const { env, watch } = deployment(missing, missing, there);
  errorsLogged();
  for (const after of [0, 1])
    await expect(loadConfig(env, START + after)).rejects.toThrow('facts on phone numbers');
  expect((await loadConfig(env, START + 2)).version).toBe(0);
  expect(watch.configReads).toBe(3);
});

it('facts that cannot be read are a 503 for a webhook, whose sender tries again', async () => {
  const { app } = await import('../../src/app.ts');
  const logged = errorsLogged();
  const init = { method: 'POST', body: '{}' };
  // No work is left to it before the facts are there.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of it is used
  const context = { waitUntil: () => undefined } as unknown as ExecutionContext;
  const response = await app.request('/hooks/shop', init, deployment(missing).env, context);
  expect([response.status, response.headers.has('retry-after')]).toEqual([503, true]);
  expect(await response.json()).toMatchObject({ type: 'urn:hookbell:problem:unavailable' });
  const error = 'Error: the facts on phone numbers and providers cannot be read';
  expect(logged).toMatchObject([
    { stage: 'facts.read.failed' },
    { stage: 'request.failed', path: '/hooks/shop', error },
  ]);
});
