import { expect, it } from 'vitest';
import type { Acceptance } from '../../../src/outbox/state/acceptance.ts';
import { accepted, draft, HOUR } from '../support.ts';
import { newOutbox } from '../in-storage.ts';

it('an acceptance crosses the RPC as it is: own keys only, Unicode, empty texts and nulls', async () => {
  const outbox = newOutbox();
  // `__proto__` as a key of its own, as a parsed JSON body may have it.
  const params = { message: 'Zoë 👩‍👩‍👧\n', ['__proto__']: 'a plain key', caption: '' };
  const acceptance: Acceptance = {
    event: accepted({ type: null, dedupe: { key: 'ключ\u0000', windowMs: HOUR } }),
    messages: [draft({ params }), draft({ kind: 'status', phone: null, route: null })],
  };
  const { messages } = await outbox.accept(acceptance);
  const [text, status] = await Promise.all(messages.map((id) => outbox.readMessage(id)));
  expect(text?.params['message']).toBe('Zoë 👩‍👩‍👧\n');
  expect(text?.params['caption']).toBe('');
  expect(status).toMatchObject({ kind: 'status', phone: null, route: null });
  expect(await outbox.readEvent(acceptance.event.id)).toMatchObject({ type: null, dedupe_key: 'ключ\u0000' });
});
