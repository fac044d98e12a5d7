import { loadConfig } from '../../config/load.ts';
import { registry } from '../../config/registry-client.ts';
import { accept, acceptance } from '../../ingest/accept/accept.ts';
import { Allowance } from '../../ingest/routing/allowance.ts';
import { routeEvent, silencing } from '../../ingest/routing/match.ts';
import { inItsLanguage } from '../../ingest/request/event.ts';
import { newEventId, secureRandomBytes } from '../../lib/id.ts';
import { log } from '../../lib/log.ts';
import { parseOwnJson } from '../../lib/own-json.ts';
import { problemResponse } from '../../lib/problem.ts';
import type { Released } from '../../registry/api-rejection.ts';
import type { KeptForm } from '../../registry/spam.ts';
import { conflict, notFound } from '../request/input.ts';

interface Releasing {
  readonly env: Env;
  readonly by: string;
  readonly now: number;
}

/**
 * Makes the event of a form that was taken for spam, with today's configuration, as if the form had passed. An
 * interrupted release can be repeated and makes the same event. A finished one cannot be repeated.
 */
export async function releaseSpam(n: number, { env, by, now }: Releasing): Promise<Released | Response> {
  const spam = await registry(env).spam(n);
  if (spam === null) return notFound(`spam with the number \`${n}\``);
  const { entry, form } = spam;
  if (entry.released !== undefined) return conflict(`It has already been released, as ${entry.released}.`);
  if (form === null)
    return conflict(`The source ${entry.source} does not store its content (\`store: metadata\`).`);
  const config = await loadConfig(env, now);
  const source = config.sources.get(entry.source);
  if (source === undefined)
    return conflict(`The source ${entry.source} is no longer configured; publish it first.`);
  const id = await registry(env).startRelease(n, newEventId(now, secureRandomBytes));
  if (id === null) return notFound(`spam with the number \`${n}\``);
  const event = inItsLanguage({ id, source, signed: null, ...parseOwnJson<KeptForm>(form) });
  // A person asked for it, so the source's limit does not count.
  const results = routeEvent(event, silencing(config, now), new Allowance(null));
  const taken = acceptance(event, results, { config, dedupeFailure: null });
  const accepted = await accept(env, config, source.account, {
    ...taken,
    event: { ...taken.event, receivedAt: now },
  });
  if (!accepted.ok) return problemResponse(accepted.error.problem);
  if (!(await registry(env).endRelease(n, now))) return conflict(`It has already been released, as ${id}.`);
  log('info', 'rejection.released', { rejection: n, event: id, by });
  const { event: stored, duplicate, messages, waiting } = accepted.value;
  return { event: stored, rejection: n, duplicate, messages, ...(waiting !== undefined && { waiting }) };
}
