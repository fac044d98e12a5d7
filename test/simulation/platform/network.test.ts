import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { MINUTE, SECOND, startBench, timerOf } from './harness.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

it('a call to a server that never answers ends with its time-out, whatever the garbage collector took', async () => {
  const bench = startBench((globals) => ({
    Outbox: class {
      async call(): Promise<string> {
        const controller = new AbortController();
        timerOf(globals)(() => controller.abort(new Error('too late')), MINUTE);
        const { fetch } = globals;
        if (typeof fetch !== 'function') return 'no fetch';
        const call: unknown = Reflect.apply(fetch, undefined, [
          'https://server.example',
          { signal: controller.signal },
        ]);
        return await Promise.resolve(call).then(() => 'answered', String);
      }
    },
  }));
  bench.platform.outside('server.example', () => ({ kind: 'hang' }));
  const answer = bench.call('call');
  await bench.pass(30 * SECOND);
  if (typeof collectGarbage === 'function')
    await Reflect.apply(collectGarbage, undefined, [{ execution: 'async' }]);
  expect(await bench.until(answer)).toEqual({ value: 'Error: too late' });
});
