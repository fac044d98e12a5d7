import { parseOwnJson } from '../../lib/own-json.ts';
import { type Sample, sampleOf, type Starter } from '../../config/starter.ts';

/** A provider's starter, from the static assets that are deployed with the Worker; null when it has none. */
export async function readStarter(env: Env, id: string): Promise<Starter | null> {
  const response = await env.ASSETS.fetch(`https://assets.invalid/providers/${id}.json`);
  return response.ok ? parseOwnJson<Starter>(await response.text()) : null;
}

/** A provider's samples as they are posted. */
export const samplesOf = (starter: Starter | null): readonly Sample[] =>
  (starter?.samples ?? []).map(sampleOf);
