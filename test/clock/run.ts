// Imported first by a Node process. `TEST_CLOCK_MS` hands one and the same offset on to what the run starts.
import { offsetOf } from './moments.ts';
import { realNow, shiftDate } from './shift.ts';

process.env['TEST_CLOCK_MS'] ??= String(offsetOf(process.env['TEST_CLOCK'], realNow()));
shiftDate(Number(process.env['TEST_CLOCK_MS']));
