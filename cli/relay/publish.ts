import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { err, ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import type { Cli } from '../command.ts';
import type { CommandResult } from '../failure.ts';
import { dryRun, published } from './shapes.ts';

export interface PublishResult {
  readonly json: unknown;
  /** 0 for a dry run. */
  readonly version: number;
  readonly warnings: readonly { readonly path: string; readonly message: string }[];
  /** True if Ctrl-C was pressed meanwhile. */
  readonly isInterrupted: boolean;
}

interface PublishOptions {
  readonly isDryRun?: boolean;
  readonly note?: string | undefined;
  /** Marks the set as managed; the texts of its files by their paths in the folder, as far as they are sent. */
  readonly files?: Readonly<Record<string, string>> | undefined;
}

/** Checking a full set and copying it to KV takes seconds; the rest is for slow networks. */
const TIMEOUT_MS = 120_000;

/**
 * Publishes a whole set, if `base` is still in force. A request that was sent cannot be undone, so Ctrl-C waits for its
 * answer. A second Ctrl-C does not wait; then it is unknown whether the set was published.
 */
export async function publishSet(
  client: Client,
  set: ConfigSet,
  base: number,
  { interrupt, out, pasteIn }: Pick<Cli, 'interrupt' | 'out' | 'pasteIn'>,
  { isDryRun = false, note, files }: PublishOptions = {},
): Promise<CommandResult<PublishResult>> {
  const pressed = { times: 0 };
  const release = interrupt.handle(() => {
    pressed.times += 1;
    if (pressed.times > 1) interrupt.leave(isDryRun ? 'nothing was published' : pasteIn(UNKNOWN));
    out.note('waiting for the answer, to know whether it was published; press Ctrl-C again to stop waiting');
  });
  const options = {
    body: { ...set, ...(files !== undefined && Object.keys(files).length > 0 && { files }) },
    query: { ...(isDryRun && { dry_run: 'true' }), ...(files !== undefined && { managed: 'true' }), note },
    headers: { 'if-match': `"${base}"` },
    timeout: TIMEOUT_MS,
  };
  out.progress(isDryRun ? 'checking …' : 'publishing …');
  const answer = await client.request('POST', '/config', isDryRun ? dryRun : published, options);
  release();
  out.progressDone();
  const isInterrupted = pressed.times > 0;
  if (answer.ok) {
    const { json, data } = answer.value;
    const { version = 0, warnings } = data;
    return ok({ json, version, warnings, isInterrupted });
  }
  const { error } = answer;
  const exit = isInterrupted ? 130 : error.exit;
  if (error.status === 412) {
    const message = `somebody else published after version ${base}, so nothing was changed; check \`hookbell diff\`, then push again`;
    return err({ ...error, message, exit });
  }
  const isRefused = error.status !== undefined && error.unsure !== true;
  const outcome = error.unsure === true && !isDryRun ? UNKNOWN : 'nothing was published';
  return err({ ...error, message: isRefused ? error.message : `${error.message}; ${outcome}`, exit });
}

const UNKNOWN = 'it may have been published: check `hookbell versions`';
