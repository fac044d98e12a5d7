import { variable } from '../../lib/secret.ts';

/** The roles, from the lowest to the highest. Each includes the rights of those before it. */
export const ROLES = ['viewer', 'operator', 'editor'] as const;

/**
 * `viewer` reads, without numbers and texts; `operator` also retries, replays, cancels, pauses, sends, silences and
 * resolves incidents; `editor` may do everything.
 */
export type Role = (typeof ROLES)[number];

/** True if `role` has the rights of `needed`. */
export const mayAct = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

/** The variable that shows payloads and texts to viewers, and its only value. */
export const VIEWER_SEES = 'VIEWER_SEES';
export const PAYLOADS = 'payloads';

/** True if viewers see payloads and texts. Any other value counts as absent. */
export const viewersSeePayloads = (env: Env): boolean => variable(env, VIEWER_SEES) === PAYLOADS;
