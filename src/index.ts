import { app } from './app.ts';
import type { Env } from './env.ts';

export { Registry } from './config/registry.ts';
export { Outbox } from './outbox/outbox.ts';

export default { fetch: app.fetch } satisfies ExportedHandler<Env>;
