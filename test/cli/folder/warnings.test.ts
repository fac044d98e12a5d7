import { posix, win32 } from 'node:path';
import { expect, it } from 'vitest';
import { pathFrom } from '../../../cli/folder/write.ts';
import { inNoFile, together, type SourceOf } from '../../../cli/folder/problem.ts';

const ROUTES = { routes: [{ name: 'paid' }, { name: 'sent' }, { name: 'gone' }] };
const sourceOf: SourceOf = (file) =>
  file.endsWith('.yaml') ? { name: file.replace('.yaml', ''), value: ROUTES } : undefined;

const message = 'takes a number from the sender';
const open = (file: string, route: number) => {
  const path = `routes[${route}].to`;
  return { file, line: 10 + route, column: 9, path, message };
};

it('problems of several routes are one, at the first place, with the names of the routes, and of the sources where these are several', () => {
  const all = [0, 1, 2].map((route) => open('orders.yaml', route));
  const one = `\`to\` of the routes paid, sent and gone ${message}`;
  expect(together(all, sourceOf)).toEqual([{ file: 'orders.yaml', line: 10, column: 9, message: one }]);
  const [two] = together([open('a.yaml', 0), open('a.yaml', 1), open('b.yaml', 2)], sourceOf);
  expect(two?.message).toBe(`\`to\` of the routes paid and sent of a and gone of b ${message}`);
  const whole = [0, 1].map((route) => ({
    file: 'a.yaml',
    path: `routes[${route}]`,
    message: '`text` has a link',
  }));
  const said = 'the routes paid and sent: `text` has a link';
  expect(together(whole, sourceOf)).toEqual([{ file: 'a.yaml', message: said }]);
});

it('problems of several routes stay apart when they say something else, or are about no route', () => {
  const all = [
    open('a.yaml', 0),
    { ...open('a.yaml', 1), message: 'is something else' },
    { file: 'a.yaml', path: 'verify', message },
    { ...open('a.yaml', 2), path: 'routes[2].when' },
  ];
  expect(together(all, sourceOf)).toEqual(all);
});

const placed = (path: string) => inNoFile({ path, message: 'm' });

it('a warning of the relay without a file has the document in place of the file', () => {
  const to = { file: 'sources/orders', path: 'routes[0].to', message: 'm' };
  expect(placed('sources.orders.routes[0].to')).toEqual(to);
  expect(placed('recipients.team')).toEqual({ file: 'recipients/team', message: 'm' });
  expect(placed('')).toEqual({ file: '', message: 'm' });
});

it('the path from a document to its schema has slashes, also where it is made on Windows', () => {
  const document = 'C:\\relays\\my-relay\\hookbell\\sources\\shop.yaml';
  const schema = 'C:\\relays\\my-relay\\node_modules\\hookbell\\assets\\schemas\\source.json';
  expect(pathFrom(document, schema, win32)).toBe('../../node_modules/hookbell/assets/schemas/source.json');
  expect(pathFrom('/a/hookbell/sources/shop.yaml', '/a/node_modules/h/s.json', posix)).toBe(
    '../../node_modules/h/s.json',
  );
});
