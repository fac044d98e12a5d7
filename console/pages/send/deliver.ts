import { post } from '../../api/client.ts';
import type { Message } from '../../api/types.ts';
import { number } from '../../lib/format.ts';
import { wordsOf } from '../../lib/load.ts';
import { t } from '../../texts/texts.ts';

/** Hands over one message for each receiver; null: it has none. `onDone` gets those that were, even if one was refused. */
export async function deliver(
  body: Readonly<Record<string, unknown>>,
  receivers: readonly (string | null)[],
  onDone: (done: readonly Message[]) => void,
): Promise<void> {
  const done: Message[] = [];
  try {
    for (const to of receivers)
      // One at a time, in the order of the list.
      done.push(await post<Message>('/messages', to === null ? body : { ...body, to }));
  } catch (thrown) {
    if (done.length === 0) throw thrown;
    // A person who presses the button again must know that some have it already.
    const sent = t.send.partly(number(done.length), number(receivers.length));
    throw new Error(`${wordsOf(thrown)} ${sent}`, { cause: thrown });
  } finally {
    onDone(done);
  }
}
