import type * as z from 'zod/mini';
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { ok } from '../../src/lib/result.ts';
import { gatewayDigits } from '../../src/lib/numbers.ts';
import type { Client } from '../client.ts';
import type { Cli } from '../command.ts';
import { failed, type CommandResult } from '../failure.ts';
import { part } from '../relay/list.ts';
import { suppression } from '../relay/shapes.ts';
import { count } from '../text.ts';
import { patiently } from './publish.ts';

/** The file of an export with the receivers who have opted out, and its name once they are put back. */
export const SUPPRESSIONS = 'suppressions.jsonl';
const PUT_BACK = 'suppressions-put-back.jsonl';

const AT_ONCE = 8;

/**
 * Puts back the receivers who had opted out of the relay that was exported last, once. To be called before anything is
 * published: until then nothing is sent to them.
 */
export async function putBackOptedOut(
  { out }: Pick<Cli, 'out'>,
  client: Client,
  folder: string,
): Promise<CommandResult> {
  const exports = readdirSync(folder).filter((name) => name.startsWith('export-'));
  const from = join(folder, exports.sort().at(-1) ?? '');
  const file = join(from, SUPPRESSIONS);
  if (!existsSync(file)) return ok(undefined);
  const receivers = readLines(file);
  if (!receivers.ok) return receivers;
  const all = receivers.value;
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const puts = all.slice(at, at + AT_ONCE).map((one) => patiently(out, () => putBack(client, one)));
    for (const answer of await Promise.all(puts)) if (!answer.ok) return answer;
    out.progress(`${at} of ${count(all.length, 'receiver')} who had opted out …`);
  }
  renameSync(file, join(from, PUT_BACK));
  if (all.length > 0) out.note(`put back from ${from}: ${count(all.length, 'receiver')} who had opted out`);
  return ok(undefined);
}

type Receiver = z.output<typeof suppression>;

/** The oldest first, as they opted out. */
function readLines(file: string): CommandResult<readonly Receiver[]> {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  try {
    return ok(lines.map((line) => suppression.parse(JSON.parse(line))).toReversed());
  } catch {
    return failed(
      `${file} is not as it was exported: each line is a receiver as JSON; mend it, or delete it`,
    );
  }
}

const putBack = (client: Client, { phone, reason }: Receiver) =>
  client.request('PUT', `/suppressions/${part(phone)}`, suppression, {
    body: { reason, ...(!gatewayDigits.test(phone) && { address: true }) },
  });
