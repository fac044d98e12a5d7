import { addressOf } from '../lib/router.ts';

/** The list of the events of a source in the step that begins then (ms). */
export const eventsIn =
  (source: string, stepMs: number) =>
  (from: number): string =>
    addressOf('/events', {
      source,
      since: new Date(from).toISOString(),
      until: new Date(from + stepMs).toISOString(),
    });
