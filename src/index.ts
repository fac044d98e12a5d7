import { warmUp } from './ingest/warm-up.ts';

export { default, Outbox, Registry } from './worker.ts';

await warmUp();
