import { expect, it } from 'vitest';
import { incidentExamples } from '../../../openapi/examples/incidents.ts';
import { answering, serving, shown, expectSays } from '../offline.ts';

const show = async (answer: object): Promise<string> => {
  const env = { HOOKBELL_URL: await serving(answering(200, 'application/json', JSON.stringify(answer))) };
  return shown('incidents show alerts/on-call/disk', { env });
};

it('an incident that escalates is shown with the steps that were taken, and with who is notified next', async () => {
  const { value } = incidentExamples.one.incident;
  const stdout = await show(value);
  expectSays(stdout, /^escalated +to second-line at /m, /^next +managers at /m);
  const { next: _, ...acknowledged } = value;
  expect(await show(acknowledged)).not.toMatch(/^next /m);
});
