import { parsePublished, useConfig } from '../../src/config/load.ts';
export { parseFacts, useFacts } from '../../src/config/facts.ts';
import { handleWebhook } from '../../src/ingest/webhook.ts';
import { warmUp } from '../../src/ingest/warm-up.ts';

/** The code that `cold-start.ts` bundles and measures: the trip of a webhook, without the objects. */
export { handleWebhook };

await warmUp();

/** From the text that KV gives to the source that a webhook names. */
export function openSource(kv: KVNamespace, text: string, id: string): void {
  if (useConfig(kv, parsePublished(text), Date.now()).sources.get(id) === undefined)
    throw new Error(`there is no source ${id}`);
}

export default { fetch: (): Response => new Response() };
