import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Lets real time pass: the relay is a workerd in a process of its own, and no test can move its clock. Only for what no
 * condition shows: that nothing more comes; a fault at a moment that is left to chance; the pace of a sender or a person.
 * Everything that does come is waited for by `eventually`.
 */
export const passRealTime = async (ms: number): Promise<void> => sleep(ms);
