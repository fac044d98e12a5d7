/** What the platform says of a call too many. */
export const TOO_MANY_CALLS = 'Too many subrequests.';

/** The platform's limits, as the proofs set them: fewer calls in one invocation, and less memory, than any plan gives. */
export const PLATFORM_CALLS = 40;
export const HEAP_MIB = 100;
