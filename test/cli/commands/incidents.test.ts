import { expect, it } from 'vitest';
import { incidentExamples } from '../../../api-docs/routes/incidents.ts';
import { answering, expectSays, hookbell, serving, shown } from '../offline.ts';

const show = async (answer: object): Promise<string> => {
  const env = { HOOKBELL_URL: await serving(answering(200, 'application/json', JSON.stringify(answer))) };
  return shown('incidents show alerts/on-call/disk', { env });
};

it('an incident that escalates is shown with the steps that were taken, and with who is notified next', async () => {
  const value = incidentExamples.one.incident;
  const stdout = await show(value);
  expectSays(stdout, /^escalated +to second-line at /m, /^next +managers at /m);
  const { next: _, ...acknowledged } = value;
  expect(await show(acknowledged)).not.toMatch(/^next /m);
});

it('an incident whose key a viewer does not see goes by its id', async () => {
  const value = incidentExamples.one.incident;
  const sealed = { ...value, id: 'inc_0hk7nd0gz3a9w4qk', key: 'hidden' };
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
