import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { isFinal } from '../src/outbox/state/states.ts';
import type { AdminApi } from './admin-api.ts';
import type { DemoWebhook } from './demo-webhooks.ts';

/** The looks at a message, 100 ms apart: the script does not wait for one that its account's pace holds back. */
const LOOKS = 100;
/** Of a message's line, before its text. */
const INDENT = 39;

const message = z.object({
  state: z.string(),
  kind: z.string(),
  phone: z.string().nullable(),
  params: z.record(z.string(), z.string()),
  reason: z.string().optional(),
});
const receipt = z.object({ event: z.string(), messages: z.array(z.string()) });

type Message = z.output<typeof message>;

/** Posts a webhook through the front door; returns lines about its outcome, each at most `columns` wide. */
export async function postAndShow(
  url: string,
  { what, source, path, headers, body }: DemoWebhook,
  admin: AdminApi,
  columns: number,
): Promise<readonly string[]> {
  const response = await fetch(url + path, { method: 'POST', headers, body });
  const title = `POST /hooks/${source}: ${what}`;
  if (response.status !== 202) return [title, `  ${response.status} ${await response.text()}`];
  const { event, messages } = receipt.parse(await response.json());
  const lines: string[] = [title, `  202 ${event}, ${messages.length} messages`];
  for (const id of messages) lines.push(...shown(await settled(admin, id), columns));
  return lines;
}

/** The message once it has been sent, or its state after a while. */
async function settled(admin: AdminApi, id: string): Promise<Message> {
  for (let look = 0; ; look += 1) {
    const one = message.parse((await admin('GET', `/messages/${id}`)).body);
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
