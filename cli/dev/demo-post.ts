import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { isFinal } from '../../src/outbox/state/states.ts';
import type { Client } from '../client.ts';
import { must } from '../failure.ts';
import { event as eventShape, eventList, message, type Message } from '../relay/shapes.ts';
import { count } from '../text.ts';
import type { DemoWebhook } from './demo-webhooks.ts';

/** The looks at a message, 100 ms apart: the script does not wait for one that its account's pace holds back. */
const LOOKS = 100;
const INDENT = 39;

const receipt = z.object({ event: z.string(), messages: z.array(z.string()) });

/** Posts a webhook through the front door; returns lines about its outcome, each at most `columns` wide. */
export async function postAndShow(
  client: Client,
  { what, source, path, headers, body }: DemoWebhook,
  columns: number,
): Promise<readonly string[]> {
  const response = await fetch(client.url + path, { method: 'POST', headers, body });
  const title = `POST /hooks/${source}: ${what}`;
  const { status } = response;
  const text = await response.text();
  if (!response.ok) return [title, `  ${status} ${text}`];
  const { event, messages } = status === 202 ? receipt.parse(JSON.parse(text)) : await ofForm(client, source);
  const lines: string[] = [title, `  ${status} ${event}, ${count(messages.length, 'message')}`];
  for (const id of messages) lines.push(...shown(await settled(client, id), columns));
  return lines;
}

/** A browser is answered with a page, which names no event: it is the newest one. */
async function ofForm(client: Client, source: string): Promise<z.output<typeof receipt>> {
  const [newest] = must(await client.get('/events', eventList, { source, limit: 1 })).data.items;
  const { id, messages } = must(await client.get(`/events/${newest?.id}`, eventShape)).data;
  return { event: id, messages: messages.map((one) => one.id) };
}

async function settled(client: Client, id: string): Promise<Message> {
  for (let look = 0; ; look += 1) {
    const one = must(await client.get(`/messages/${id}`, message)).data;
    if (isFinal(one.state) || look >= LOOKS) return one;
    await sleep(100);
  }
}

function shown({ state, kind, phone, params, reason }: Message, columns: number): readonly string[] {
  const { phone: _, ...rest } = params;
  const text = Object.values(rest).join(' | ').replaceAll('\n', ' ⏎ ');
  const room = Math.max(columns - INDENT, 20);
  const line = `  ${state.padEnd(6)} ${kind.padEnd(12)} → ${(phone ?? 'all contacts').padEnd(13)}  `;
  return [
    line + (text.length > room ? `${text.slice(0, room - 1)}…` : text),
    ...(reason === undefined ? [] : [`         ${reason}`]),
  ];
}
