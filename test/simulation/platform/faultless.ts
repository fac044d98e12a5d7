import type { Program } from './bundle.ts';
import { ONE_MACHINE } from './isolate.ts';
import { Platform } from './platform.ts';
import { NO_PLANTED_FAULT } from './seams.ts';

/** A platform without faults, for as long as it is asked to run. */
export const faultlessPlatform = (program: Program): Platform =>
  new Platform({
    program,
    seed: 1,
    startAt: Date.UTC(2026, 5, 1), // fixed date: the simulation's own clock
    duration: Infinity,
    faults: () => [],
    seams: NO_PLANTED_FAULT,
    machines: ONE_MACHINE,
    callsPerInvocation: 10_000,
    keepsIdle: true,
    only: null,
    onTrace: null,
  });
