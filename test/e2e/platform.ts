/** The platform's limits, as the proofs set them: fewer calls in one invocation, and less memory, than any plan gives. */
export const PLATFORM_CALLS = 40;
export const HEAP_MIB = 100;
