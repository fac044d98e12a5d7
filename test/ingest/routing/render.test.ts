import { expect, it } from 'vitest';
import { eventScope } from '../../../src/ingest/request/event.ts';
import { renderMessages } from '../../../src/ingest/routing/match.ts';
import { eventOf, OTHER_PHONE, PHONE, sourceOf } from '../support.ts';

const TEXT = { kind: 'text', message: 'hello' };

/** The result of a German source's route for a payload. */
function render(
  route: object,
  payload: unknown = {},
  recipients: Record<string, object> = {},
  room: { messages: number; characters: number } = { messages: 1_000, characters: 100_000 },
) {
  const routes = [{ name: 'r', ...(!('to' in route) && { to: PHONE }), send: TEXT, ...route }];
  const source = sourceOf({ country: 'DE', routes }, { recipients });
  const [compiled] = source.routes;
  if (compiled === undefined) throw new Error('no route');
  return renderMessages(compiled, eventScope(eventOf(source, { payload })), source.locale, {
    ...room,
    now: 0,
  });
}

it('messages of a route are one for each receiver, and the failures of the others', () => {
  const { messages, failures } = render({ to: [PHONE, '{{ payload.none }}', OTHER_PHONE] });
  expect(messages.map(({ phone }) => phone)).toEqual([PHONE, OTHER_PHONE]);
  expect(failures).toHaveLength(1);
});

it('messages of a route are none when a parameter fails, and nobody is looked up', () => {
  const { messages, failures } = render({ to: '{{ payload.none }}', send: { ...TEXT, message: ' ' } });
  expect(messages).toEqual([]);
  expect(failures.map(({ parameter }) => parameter)).toEqual(['message']);
});

const SPLIT = {
  to: [PHONE, OTHER_PHONE],
  send: { kind: 'text', message: 'hello world again and again' },
  max_length: 11,
  overflow: 'split',
};

it('messages of a route of a text that is split follow one another in order, each to every receiver', () => {
  const { messages } = render(SPLIT);
  expect(messages.map(({ phone, params }) => [phone, params['message']])).toEqual(
    [PHONE, OTHER_PHONE].flatMap((phone) =>
      ['hello world', 'again and', 'again'].map((piece) => [phone, piece]),
    ),
  );
});

it('messages of a route are for the first receivers for whose messages there is room, in number and in characters', () => {
  const numbers = Array.from({ length: 1_001 }, (_, at) => `4917139${20_000 + at}`);
  const made = (room?: { messages: number; characters: number }) => {
    const { messages, failures, leftOut } = render({ to: 'all' }, {}, { all: { numbers } }, room);
    expect(failures).toEqual([]);
    expect(messages.map(({ phone }) => phone)).toEqual(numbers.slice(0, messages.length));
    return [messages.length, leftOut];
  };
  expect(made()).toEqual([1_000, { count: 1, by: 'messages' }]);
  expect(made({ messages: 2_000, characters: 5_000 })).toEqual([1_000, { count: 1, by: 'characters' }]);
  expect(made({ messages: 2_000, characters: 5_005 })).toEqual([1_001, undefined]);
});

it('messages of a route of a text that is split are all there for a receiver, or none', () => {
  const { messages, leftOut } = render(SPLIT, {}, {}, { messages: 5, characters: 1_000 });
  expect(messages.map(({ phone }) => phone)).toEqual([PHONE, PHONE, PHONE]);
  expect(leftOut).toEqual({ count: 3, by: 'messages' });
});
