import { describe, expect, it } from 'vitest';
import { isMessageKind, MESSAGE_KINDS } from '../../src/gateway/kinds.ts';

describe('MESSAGE_KINDS', () => {
  it.each([
    ['text', 'send-message.php', ['message'], []],
    ['image', 'send-image.php', ['image_url'], ['caption']],
    ['voice', 'send-voice.php', ['audio_url'], []],
    ['link-preview', 'send-link-preview.php', ['url'], ['text', 'title', 'description']],
    ['poll', 'send-poll.php', ['question', 'options'], []],
    ['status', 'status/send-text.php', ['text'], []],
  ] as const)("%s is the gateway's %s", (kind, path, required, optional) => {
    expect(MESSAGE_KINDS[kind]).toMatchObject({ path, required, optional, hasReceiver: kind !== 'status' });
  });

  it('knows its own names and no inherited ones', () => {
    expect(Object.keys(MESSAGE_KINDS).every(isMessageKind)).toBe(true);
    expect(['', 'Text', 'sms', 'toString', '__proto__'].some(isMessageKind)).toBe(false);
  });

  it('counts only parameters of the kind as URLs', () => {
    for (const { urls, required, optional } of Object.values(MESSAGE_KINDS)) {
      expect([...required, ...optional]).toEqual(expect.arrayContaining([...urls]));
    }
  });
});
