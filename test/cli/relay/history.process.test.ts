import { beforeAll, describe, expect, it } from 'vitest';
import { createClient, type Client } from '../../../cli/client.ts';
import { readHistory, type Wanted } from '../../../cli/relay/history.ts';
import { nameOf } from '../../../cli/relay/shown.ts';
import { OPEN_SET, post, publish, relayUrl, TOKEN, untilState } from '../support.ts';

const client = (): Client => createClient({ url: relayUrl(), token: TOKEN });

/** The names of what happened. */
async function names(wanted: Wanted): Promise<readonly string[]> {
  const history = await readHistory(client(), wanted);
  if (!history.ok) throw new Error(history.error.message);
  return history.value.frames.map(nameOf);
}

describe('what happened since a time', () => {
  let event: string;
  let message: string;

  beforeAll(async () => {
    await publish({
      ...OPEN_SET,
      // The events of this file do not count towards another file's limit.
      sources: { history: { ...OPEN_SET.sources.open, limit: false } },
    });
    const posted = await post('history', { name: 'Ada', phone: '+4915112345695' });
    event = posted.event;
    message = posted.messages[0] ?? '';
    await untilState(message, 'sent');
  });

  it('is events and messages, oldest first', async () => {
    const found = (await names({ since: 0, source: 'history' })).filter((name) =>
      [event, message].includes(name),
    );
    expect(found).toEqual([event, message]);
  });

  it('is of one type, if it is asked so', async () => {
    expect(await names({ since: 0, type: 'event' })).not.toContain(message);
    expect(await names({ since: 0, type: 'message' })).not.toContain(event);
  });

  it('is nothing of before, but messages that may have gone on', async () => {
    const since = Date.now() + 3_600_000;
    expect(await names({ since })).toEqual([]);
    expect(await names({ since, pending: [message, 'msg_0000000000000000'] })).toEqual([message]);
  });

  it('is cut where a list has more', async () => {
    for (let n = 0; n < 101; n += 1) await post('history', { n });
    const history = await readHistory(client(), { since: 0, type: 'event' });
    expect(history).toMatchObject({ ok: true, value: { isCut: true } });
  });
});
