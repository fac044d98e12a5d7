import { describeError, log } from './log.ts';
import { problemResponse, UNAVAILABLE } from './problem.ts';

/**
 * Answers an exception, which is a bug or a fault of the platform. A 503 makes the sender try again, so nothing is
 * lost.
 */
export function fault(thrown: unknown, path: string): Response {
  log('error', 'request.failed', {
    path: path.split('/').slice(0, 3).join('/'),
    error: describeError(thrown),
  });
  return problemResponse(UNAVAILABLE);
}
