import { Agent, request } from 'node:http';
import * as z from 'zod';
import { lookUntil } from '../eventually.ts';
import { PATIENCE_MS } from './real-time.ts';
import type { SignedWebhook } from './webhook.ts';

/** The answer to a sender, and the number of its requests. */
export interface Posted {
  readonly webhook: SignedWebhook;
  readonly duplicate: boolean;
  /** Requests until one was answered 2xx. */
  readonly tries: number;
}

/** The part of the answer that matters here. */
const receipt = z.object({ event: z.string(), duplicate: z.boolean() });

const RETRY_MS = 20;

/**
 * Posts webhooks as a sender does: one not answered by 2xx is posted again, the same, until it is. Each of N
 * connections posts its share in order, one after the other; the receipts come in the order of the webhooks. Throws
 * when a webhook is refused for good, or not accepted within minutes.
 */
export async function postAll(
  url: string,
  webhooks: readonly SignedWebhook[],
  connections: number,
): Promise<readonly Posted[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const posted: Posted[] = [];
  const lanes = Array.from({ length: connections }, async (_, lane) => {
    for (const [index, webhook] of webhooks.entries()) {
      if (index % connections === lane) posted[index] = await post(agent, url, webhook);
    }
  });
  try {
    await Promise.all(lanes);
  } finally {
    agent.destroy();
  }
  return posted;
}

async function post(agent: Agent, url: string, webhook: SignedWebhook): Promise<Posted> {
  let tries = 0;
  const tried = async (): Promise<boolean | null> => {
    tries += 1;
    const answer = await postOnce(agent, url, webhook).catch(() => null);
    if (answer === null) return null;
    if (answer.status >= 200 && answer.status < 300) return receipt.parse(JSON.parse(answer.text)).duplicate;
    if (answer.status < 500)
      throw new Error(`the webhook ${webhook.id} was refused: ${answer.status} ${answer.text}`);
    return null;
  };
  const patience = { withinMs: PATIENCE_MS, eachMs: RETRY_MS };
  const duplicate = await lookUntil(tried, (taken) => taken !== null, patience);
  if (duplicate !== null) return { webhook, duplicate, tries };
  throw new Error(`the webhook ${webhook.id} was not accepted`);
}

/** One request. Rejects when it is not answered. */
function postOnce(
  agent: Agent,
  url: string,
  { body, signature }: Pick<SignedWebhook, 'body' | 'signature'>,
): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const headers = { 'content-type': 'application/json', 'x-signature': signature };
  const sent = request(url, { agent, method: 'POST', headers }, (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => (text += chunk));
    response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    response.on('error', reject);
    // A connection that breaks in the middle of the answer ends in this and not in `end`.
    response.on('aborted', () => reject(new Error('the answer was cut off')));
  });
  sent.on('error', reject);
  sent.end(body);
  return promise;
}
