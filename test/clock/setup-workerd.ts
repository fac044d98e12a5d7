import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import './setup-date.ts';
import { clockOffset, shiftAlarms } from './shift.ts';

// Tests, Worker and objects share one isolate, so the storage of any object leads to the methods of all.
if (clockOffset() !== 0)
  await runInDurableObject(env.REGISTRY.getByName('the clock of the tests'), (_, { storage }) =>
    shiftAlarms(storage),
  );
