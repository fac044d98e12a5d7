import { app } from './app.ts';
import { warmUp } from './ingest/warm-up.ts';

export { default, Outbox, Registry } from './worker.ts';

await warmUp();
// Compiles the route table. This address is answered without a body: at this time the platform allows no streams.
await app.fetch(new Request('https://relay.invalid/console/'));
