import { expect, it } from 'vitest';
import { answering, expectSays, hookbell, serving, shown } from '../offline.ts';

const value = {
  id: 'inc_0hk7nd0gz3a9w4qk',
  account: 'default',
  source: 'alerts',
  route: 'on-call',
  key: 'disk',
  critical: true,
  state: 'open',
  started_at: '2026-11-21T07:38:18.714Z',
  heard_at: '2026-11-21T07:43:18.009Z',
  occurrences: 2,
  flapping: false,
  event: 'evt_01m7ygnc6tevq7n99nkb7gx0s0',
  steps: [{ at: '2026-11-21T07:48:18.714Z', step: 1, to: ['second-line'] }],
  next: { at: '2026-11-21T08:08:18.714Z', step: 2, to: ['managers'] },
  receivers: [],
};

const show = async (answer: object): Promise<string> => {
  const env = { HOOKBELL_URL: await serving(answering(200, 'application/json', JSON.stringify(answer))) };
  return shown('incidents show alerts/on-call/disk', { env });
};

it('an incident that escalates is shown with the steps that were taken, and with who is notified next', async () => {
  const stdout = await show(value);
  expectSays(stdout, /^escalated +to second-line at /m, /^next +managers at /m);
  const { next: _, ...acknowledged } = value;
  expect(await show(acknowledged)).not.toMatch(/^next /m);
});

it('an incident whose key a viewer does not see goes by its id', async () => {
  const sealed = { ...value, key: 'hidden' };
  const list = JSON.stringify({ items: [sealed], next_cursor: null });
  const paths: (string | undefined)[] = [];
  const url = await serving(({ url: path }, response) => {
    paths.push(path);
    response.setHeader('content-type', 'application/json');
    response.end(path?.includes(sealed.id) === true ? JSON.stringify(sealed) : list);
  });
  const env = { HOOKBELL_URL: url };
  const { stderr } = await hookbell('incidents list', { env });
  expect(stderr).toContain(`incidents show ${sealed.id}`);
  expect(await shown(`incidents show ${sealed.id}`, { env })).toContain(sealed.id);
  expect(paths.at(-1)).toContain(`/incidents/${sealed.id}`);
});
