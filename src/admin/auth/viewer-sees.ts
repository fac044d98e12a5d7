import { variable } from '../../lib/secret.ts';
import type { Sight } from '../../registry/view.ts';

/** The variable that shows payloads and texts to viewers, and its only value. */
export const VIEWER_SEES = 'VIEWER_SEES';
export const PAYLOADS = 'payloads';

/** True if viewers see payloads and texts. Any other value counts as absent. */
export const viewersSeePayloads = (env: Env): boolean => variable(env, VIEWER_SEES) === PAYLOADS;

/** The part of events and messages that viewers see. */
export const sightOf = (env: Env): Sight => (viewersSeePayloads(env) ? 'contents' : 'facts');
