import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import { createClient } from '../../../cli/client.ts';
import { packageVersion } from '../../../cli/doctor/package-version.ts';
import type { Dated } from '../../../cli/relay/history.ts';
import { reportRelease } from '../../../cli/relay/release.ts';
import { watch, type ReadFrame } from '../../../cli/relay/tail.ts';
import { StalledMessages } from '../../../cli/relay/waiting.ts';
import { startProxy } from '../proxy.ts';
import { TOKEN } from '../offline.ts';
import { admin, OPEN_SET, post, publish, until } from '../relay.ts';
import { relayUrl } from '../support.ts';

const client = (token = TOKEN) => createClient({ url: relayUrl(), token });

/** Of one test: its events do not count towards another file's limit. */
const publishSource = (name: string) =>
  publish({ ...OPEN_SET, sources: { [name]: { ...OPEN_SET.sources.open, limit: false } } });

/** As from another version of the command line. */
const put = (version: string, since: string) =>
  client().request('PUT', '/release', z.unknown(), { body: { version, since, changes: [] } });

/** The newest hookbell that the relay knows. */
const known = async (): Promise<unknown> => Reflect.get(Object(await admin('GET', '/release')), 'newest');

it('the newest hookbell is reported by a login that may, and stays unless another version was deployed meanwhile', async () => {
  onTestFinished(async () => void (await put('0.0.1', packageVersion())));
  await put('0.0.1', packageVersion());
  await reportRelease(client());
  await reportRelease(client(), packageVersion());
  await reportRelease(client('wrong'), '98.0.0');
  expect(await known()).toMatchObject({ version: '0.0.1' });
  await reportRelease(client(), '98.0.0');
  expect(await known()).toMatchObject({ version: '98.0.0' });
  await put('99.0.0', packageVersion());
  await reportRelease(client(), '98.0.0');
  await reportRelease(client());
  expect(await known()).toMatchObject({ version: '99.0.0' });
  await put('99.0.0', '0.0.2');
  await reportRelease(client(), '98.0.0');
  expect(await known()).toMatchObject({ version: '98.0.0' });
});

it.each([
  ['the machine slept', 'freeze'],
  ['the network broke', 'cut'],
] as const)('a connection to the tail ends, and may be made again, after %s', async (_, how) => {
  const proxy = await startProxy();
  const frames: (ReadFrame | null)[] = [];
  const time = { now: 0 };
  const end = watch(
    createClient({ url: proxy.url, token: TOKEN }),
    {},
    (_json, frame) => void frames.push(frame),
    { pingMs: 10, clock: () => time.now },
  );
  await until(() => frames.length > 0, 'the hello');
  expect(frames).toMatchObject([{ type: 'hello' }]);
  proxy[how]();
  let hasEnded = false;
  void end.then(() => (hasEnded = true));
  // An answer to a ping of before may still come.
  await until(() => {
    time.now += 31;
    return hasEnded;
  }, 'the end');
  const { isFinal, why } = await end;
  await proxy.close();
  expect(isFinal).toBe(false);
  expect(why).toMatch(how === 'freeze' ? /^the relay was silent$/ : /^the (connection|relay) /);
});

it('a message that does not go on says what it waits for, once; one that went on says nothing', async () => {
  await publishSource('waiting');
  await admin('POST', '/accounts/default/pause');
  const [waits = ''] = (await post('waiting', { name: 'Ada', phone: '+4915112345701' })).messages;
  const [gone = ''] = (await post('waiting', { name: 'Bo', phone: '+4915112345702' })).messages;
  const shown: Dated[] = [];
  const look = Promise.withResolvers<void>();
  const waiting = new StalledMessages(
    client(),
    (frame) => shown.push(frame),
    (text) => expect.fail(text),
    () => look.promise,
  );
  const frame = { type: 'message', at: new Date().toISOString(), event: null, kind: 'text' } as const;
  for (const [message, state] of [
    [waits, 'queued'],
    [gone, 'queued'],
    [gone, 'sent'],
  ] as const)
    waiting.take({ ...frame, source: 'waiting', route: 'hello', message, state });
  look.resolve();
  await until(() => shown.length > 0, 'what it waits for');
  expect(shown).toMatchObject([{ message: waits, state: 'queued', waits: { for: 'pause' } }]);
  await admin('POST', '/accounts/default/resume');
});
