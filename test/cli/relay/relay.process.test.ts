import { expect, it } from 'vitest';
import { ok } from '../../../src/lib/result.ts';
import { createClient } from '../../../cli/client.ts';
import { type Change, watchStalled } from '../../../cli/relay/follow.ts';
import { TOKEN } from '../offline.ts';
import { admin, OPEN_SET, post, publish, until } from '../relay.ts';
import { relayUrl } from '../support.ts';

const client = () => createClient(() => ok({ url: relayUrl(), token: TOKEN }));

/** Of one test: its events do not count towards another file's limit. */
const publishSource = (name: string) =>
  publish({ ...OPEN_SET, sources: { [name]: { ...OPEN_SET.sources.open, limit: false } } });

it('a message that does not go on says what it waits for, once; one that went on says nothing', async () => {
  await publishSource('waiting');
  await admin('POST', '/accounts/default/pause');
  const [waits = ''] = (await post('waiting', { name: 'Ada', phone: '+4915112345701' })).messages;
  const [gone = ''] = (await post('waiting', { name: 'Bo', phone: '+4915112345702' })).messages;
  const shown: Change[] = [];
  const look = Promise.withResolvers<void>();
  const waiting = watchStalled(
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
    waiting({ ...frame, source: 'waiting', route: 'hello', message, state });
  look.resolve();
  await until(() => shown.length > 0, 'what it waits for');
  expect(shown).toMatchObject([{ message: waits, state: 'queued', waits: { for: 'pause' } }]);
  await admin('POST', '/accounts/default/resume');
});
