import type { RefusalCode } from '../../src/signature/basics/request.ts';
import type { OtherAlgorithm, Sender, Signing, Webhook } from './senders/sender.ts';

/** One request, and the expected result of its check. */
export interface Case {
  readonly name: string;
  readonly webhook: Webhook;
  readonly expected:
    | { readonly ok: true; readonly secret: number | null }
    | { readonly ok: false; readonly reason: RefusalCode };
}

/** A rule that every sender keeps, if it can be asked of it. */
export interface Check {
  /** As the table's column. */
  readonly name: string;
  readonly applies: (sender: Sender) => boolean;
  readonly cases: (stage: Stage) => Promise<readonly Case[]>;
}

/** The input of a check: the request of `sender` at `now` (ms, whole seconds), not yet signed. */
export interface Stage {
  readonly sender: Sender;
  readonly draft: Webhook;
  readonly now: number;
}

export const always = (): boolean => true;
export const SECOND = 1_000;
/** The key that signs the genuine request. */
export const firstKey = ({ keys }: Sender): string => keys.signers[0]?.key ?? '';

/** The index of the source's secret that proves it. Null if none does. */
const firstSecret = ({ keys }: Sender): number | null => keys.signers[0]?.secret ?? null;

/** The request as it is sent when nothing goes wrong, except for what `over` says. */
export const send = ({ sender, draft, now }: Stage, over: Partial<Signing> = {}): Promise<Webhook> =>
  sender.send(draft, { keys: [firstKey(sender)], now, ...over });

export const accepted = async (
  { sender }: Stage,
  name: string,
  webhook: Promise<Webhook>,
  secret = firstSecret(sender),
): Promise<Case> => ({ name, webhook: await webhook, expected: { ok: true, secret } });

export const refused = async (
  name: string,
  webhook: Webhook | Promise<Webhook>,
  reason: RefusalCode,
): Promise<Case> => ({ name, webhook: await webhook, expected: { ok: false, reason } });

/** A case of a request that might deceive a sender of this kind. */
export async function refusedOther(
  stage: Stage,
  { name, algorithm, change, reason }: OtherAlgorithm,
): Promise<Case> {
  const sent = await send(stage, algorithm === undefined ? {} : { algorithm });
  return refused(name, change === undefined ? sent : change(sent, firstKey(stage.sender)), reason);
}
