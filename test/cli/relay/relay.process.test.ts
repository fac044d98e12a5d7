import { expect, it } from 'vitest';
import { createClient } from '../../../cli/client.ts';
import type { Dated } from '../../../cli/relay/history.ts';
import { watch, type ReadFrame } from '../../../cli/relay/tail.ts';
import { StalledMessages } from '../../../cli/relay/waiting.ts';
import { startProxy } from '../proxy.ts';
import { TOKEN } from '../offline.ts';
import { admin, OPEN_SET, post, publish, until } from '../relay.ts';
import { relayUrl } from '../support.ts';

const client = () => createClient({ url: relayUrl(), token: TOKEN });

/** Of one test: its events do not count towards another file's limit. */
const publishSource = (name: string) =>
  publish({ ...OPEN_SET, sources: { [name]: { ...OPEN_SET.sources.open, limit: false } } });

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
