import { describe, expect, it } from 'vitest';
import { inNoFile, together, type SourceOf } from '../../../cli/folder/together.ts';

const ROUTES = { routes: [{ name: 'paid' }, { name: 'sent' }, { name: 'gone' }] };
const sourceOf: SourceOf = (file) =>
  file.endsWith('.yaml') ? { name: file.replace('.yaml', ''), value: ROUTES } : undefined;

const open = (file: string, route: number) => ({
  file,
  line: 10 + route,
  column: 9,
  path: `routes[${route}].to`,
  message: 'takes a number from the sender',
});

const whole = (route: number) => ({ file: 'a.yaml', path: `routes[${route}]`, message: '`text` has a link' });

describe('problems of several routes', () => {
  it('are one, at the first place, with the names of the routes', () => {
    expect(
      together(
        [0, 1, 2].map((route) => open('orders.yaml', route)),
        sourceOf,
      ),
    ).toEqual([
      {
        file: 'orders.yaml',
        line: 10,
        column: 9,
        message: '`to` of the routes paid, sent and gone takes a number from the sender',
      },
    ]);
  });

  it('name the sources where these are several', () => {
    const [one] = together([open('a.yaml', 0), open('a.yaml', 1), open('b.yaml', 2)], sourceOf);
    expect(one?.message).toBe(
      '`to` of the routes paid and sent of a and gone of b takes a number from the sender',
    );
  });

  it('stay apart when they say something else, or are about no route', () => {
    const all = [
      open('a.yaml', 0),
      { ...open('a.yaml', 1), message: 'is something else' },
      { file: 'a.yaml', path: 'verify', message: 'takes a number from the sender' },
      { ...open('a.yaml', 2), path: 'routes[2].when' },
    ];
    expect(together(all, sourceOf)).toEqual(all);
  });

  it('say the routes first where the problem is with the whole route', () => {
    expect(together([whole(0), whole(1)], sourceOf)).toEqual([
      { file: 'a.yaml', message: 'the routes paid and sent: `text` has a link' },
    ]);
  });
});

describe('a warning of the relay without a file', () => {
  it('has the document in place of the file', () => {
    expect(inNoFile({ path: 'sources.orders.routes[0].to', message: 'm' })).toEqual({
      file: 'sources/orders',
      path: 'routes[0].to',
      message: 'm',
    });
    expect(inNoFile({ path: 'recipients.team', message: 'm' })).toEqual({
      file: 'recipients/team',
      message: 'm',
    });
    expect(inNoFile({ path: '', message: 'm' })).toEqual({ file: '', message: 'm' });
  });
});
