import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { Webhook } from '../conformance/senders/sender.ts';

/** An answer as curl shows it; `status` 0: there was none. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Posts a webhook with curl, its body byte for byte. */
export async function curl({ method, url, headers, body }: Webhook): Promise<Answer> {
  const named = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const args = [
    '-sS',
    '--globoff',
    '-X',
    method,
    ...named,
    '--data-binary',
    '@-',
    '-w',
    '\n%{http_code}',
    url,
  ];
  const child = spawn('curl', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(body);
  const shown = await text(child.stdout);
  const end = shown.lastIndexOf('\n');
  return { status: Number(shown.slice(end + 1)), body: shown.slice(0, end) };
}
