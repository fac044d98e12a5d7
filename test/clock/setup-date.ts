import { inject } from 'vitest';
import { offsetOf } from './moments.ts';
import { realNow, shiftDate } from './shift.ts';

// Each file begins at the moment: a run takes longer than the seconds around it.
shiftDate(offsetOf(inject('testClock'), realNow()));
