import { expect, it } from 'vitest';
import '../../cli/facts.ts';
import { readSet } from '../../cli/dev/demo.ts';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { EMPTY_SET } from '../../src/config/documents/schema.ts';
import { routeEvent } from '../../src/ingest/routing/match.ts';

const { config } = compileConfig({ ...EMPTY_SET, ...readSet('examples/demo') }, 1);

/** The result of the demo's contact form for a visitor's words. */
function visitorGets(payload: object) {
  const source = config.sources.get('contact-form');
  if (source === undefined) throw new Error('no contact form');
  const known = { id: 'evt_1', type: null, receivedAt: Date.now(), dedupeKey: null, signed: null };
  const results = routeEvent({ ...known, headers: {}, query: {}, source, payload });
  return results.find(({ route }) => route === 'thank-the-visitor');
}

const thanks = (name: string) =>
  visitorGets({ name, phone: '+49 171 3920001', message: 'https://evil.example' })?.messages[0]?.params[
    'message'
  ];

it('the demo sends a visitor no words of a stranger but a short name without links', () => {
  const rest = 'thank you for your message! We will call you back.';
  expect(thanks('Ada https://evil.example/win')).toBe(`Hello, ${rest}`);
  expect(thanks(`Ada ${'x'.repeat(200)}`)).toMatch(/^Hello Ada .{1,36}, thank you/);
});

it('the demo texts nobody in a country where the shop has no visitors', () => {
  const result = visitorGets({ name: 'Ada', phone: '+1 876 555 0123' });
  expect(result?.messages).toEqual([]);
  expect(result?.failures[0]?.reason).toContain('belongs to JM');
});
