/**
 * The number of files that run at once: more than there are cores, since much of a test is waiting for processes and
 * timers.
 */
export const WORKERS = 4;
