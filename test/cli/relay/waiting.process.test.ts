import { afterEach, describe, expect, it } from 'vitest';
import { createClient } from '../../../cli/client.ts';
import type { Dated } from '../../../cli/relay/history.ts';
import { StalledMessages } from '../../../cli/relay/waiting.ts';
import { admin, OPEN_SET, post, publish, relayUrl, TOKEN, until } from '../support.ts';

/** The frame of a message that the stream gave. */
const frameOf = (message: string, state: string): Dated => ({
  type: 'message',
  at: new Date().toISOString(),
  message,
  event: null,
  source: 'waiting',
  route: 'hello',
  kind: 'text',
  state,
});

describe('a message that does not go on', () => {
  afterEach(() => admin('POST', '/accounts/default/resume'));

  it('says what it waits for, once; one that went on says nothing', async () => {
    await publish({ ...OPEN_SET, sources: { waiting: { ...OPEN_SET.sources.open, limit: false } } });
    await admin('POST', '/accounts/default/pause');
    const [waits = ''] = (await post('waiting', { name: 'Ada', phone: '+4915112345701' })).messages;
    const [gone = ''] = (await post('waiting', { name: 'Bo', phone: '+4915112345702' })).messages;
    const shown: Dated[] = [];
    const look = Promise.withResolvers<void>();
    const client = createClient({ url: relayUrl(), token: TOKEN });
    const waiting = new StalledMessages(
      client,
      (frame) => shown.push(frame),
      (text) => expect.fail(text),
      () => look.promise,
    );
    waiting.take(frameOf(waits, 'queued'));
    waiting.take(frameOf(gone, 'queued'));
    waiting.take(frameOf(gone, 'sent'));
    look.resolve();
    await until(() => shown.length > 0, 'what it waits for');
    expect(shown).toMatchObject([{ message: waits, state: 'queued', waits: { for: 'pause' } }]);
  });
});
