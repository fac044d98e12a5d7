import { env } from 'cloudflare:workers';
import { shiftDate } from './shift.ts';

// Before the relay's modules are run: see the order of imports in relay.ts.
shiftDate(Number(Reflect.get(env, 'TEST_CLOCK_MS') ?? 0));
