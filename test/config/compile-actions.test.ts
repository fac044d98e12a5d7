import { expect, test } from 'vitest';
import { routeErrors } from './support.ts';

const AT = 'sources.shop.routes[0].actions';
const errorsOf = (actions: object): readonly string[] =>
  routeErrors({ incident: { key: '{{ payload.id }}' }, actions });

test('a silence without its time is asked for it', () => {
  expect(errorsOf({ silence: {} })).toEqual([
    `${AT}.silence.silence: is required: how long the silence lasts, such as \`4h\`, or the time at which it ends, such as \`'07:00'\``,
  ]);
});

test('a silence of another action says which names may have one', () => {
  expect(errorsOf({ ack: { silence: '4h' } })).toEqual([
    `${AT}.ack.silence: belongs to actions named \`silence\` or \`silence_…\`: \`silence_4h: { silence: 4h }\``,
  ]);
});
