import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { isFinal } from '../../src/outbox/state/states.ts';
import { count } from '../text.ts';
import type { AdminApi } from './admin-api.ts';
import type { DemoWebhook } from './demo-webhooks.ts';

/** The looks at a message, 100 ms apart: the script does not wait for one that its account's pace holds back. */
const LOOKS = 100;
/** The width of a message's line before its text. */
const INDENT = 39;

const message = z.object({
  state: z.string(),
  kind: z.string(),
  phone: z.nullable(z.string()),
  params: z.record(z.string(), z.string()),
  reason: z.optional(z.string()),
});
const receipt = z.object({ event: z.string(), messages: z.array(z.string()) });
const newest = z.object({ items: z.tuple([z.object({ id: z.string() })]) });
const withMessages = z.object({ messages: z.array(z.object({ id: z.string() })) });

type DemoMessage = z.output<typeof message>;

/** Posts a webhook through the front door; returns lines about its outcome, each at most `columns` wide. */
export async function postAndShow(
  url: string,
  { what, source, path, headers, body }: DemoWebhook,
  admin: AdminApi,
  columns: number,
): Promise<readonly string[]> {
  const response = await fetch(url + path, { method: 'POST', headers, body });
  const title = `POST /hooks/${source}: ${what}`;
  const { status } = response;
  const text = await response.text();
  if (!response.ok) return [title, `  ${status} ${text}`];
  const { event, messages } = status === 202 ? receipt.parse(JSON.parse(text)) : await ofForm(admin, source);
  const lines: string[] = [title, `  ${status} ${event}, ${count(messages.length, 'message')}`];
  for (const id of messages) lines.push(...shown(await settled(admin, id), columns));
  return lines;
}

/** A browser is answered with a page, which names no event: it is the newest one. */
async function ofForm(admin: AdminApi, source: string): Promise<z.output<typeof receipt>> {
  const { body } = await admin('GET', `/events?source=${source}&limit=1`);
  const [{ id }] = newest.parse(body).items;
  const { messages } = withMessages.parse((await admin('GET', `/events/${id}`)).body);
  return { event: id, messages: messages.map((one) => one.id) };
}

/** The message once it has been sent, or its state after a while. */
async function settled(admin: AdminApi, id: string): Promise<DemoMessage> {
  for (let look = 0; ; look += 1) {
    const one = message.parse((await admin('GET', `/messages/${id}`)).body);
    if (isFinal(one.state) || look >= LOOKS) return one;
    await sleep(100);
  }
}

function shown({ state, kind, phone, params, reason }: DemoMessage, columns: number): readonly string[] {
  const { phone: _, ...rest } = params;
  const text = Object.values(rest).join(' | ').replaceAll('\n', ' ⏎ ');
  const room = Math.max(columns - INDENT, 20);
  const line = `  ${state.padEnd(6)} ${kind.padEnd(12)} → ${(phone ?? 'all contacts').padEnd(13)}  `;
  return [
    line + (text.length > room ? `${text.slice(0, room - 1)}…` : text),
    ...(reason === undefined ? [] : [`         ${reason}`]),
  ];
}
