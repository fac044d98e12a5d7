import { describe, expect, it } from 'vitest';
import { createClient } from '../../../cli/client.ts';
import { watch, type ReadFrame } from '../../../cli/relay/tail.ts';
import { startProxy } from '../proxy.ts';
import { TOKEN, until } from '../support.ts';

describe('a connection to the tail', () => {
  it.each([
    ['the machine slept', 'freeze'],
    ['the network broke', 'cut'],
  ] as const)('ends, and may be made again, after %s', async (_, how) => {
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
});
