import { variable } from '../../lib/secret.ts';
import type { Sight } from '../../registry/view.ts';

/** The variable that shows payloads and texts to viewers, and its one value. */
export const VIEWER_SEES = 'VIEWER_SEES';
export const PAYLOADS = 'payloads';

/** Whether viewers see payloads and texts. Anything but the one value counts as nothing. */
export const viewersSeePayloads = (env: Env): boolean => variable(env, VIEWER_SEES) === PAYLOADS;

/** What viewers see of events and messages. */
export const sightOf = (env: Env): Sight => (viewersSeePayloads(env) ? 'contents' : 'facts');
