import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Lets real time pass: the relay is a workerd in a process of its own, and no test can move its clock. Only for what no
 * condition shows: a fault at a moment that is left to chance, the pace of a sender or a person. Whatever comes is waited for
 * by `eventually`.
 */
export const passRealTime = async (ms: number): Promise<void> => sleep(ms);

/** A guard for what never comes, in ms: no machine is so slow. */
export const PATIENCE_MS = 300_000;
