import { expect, test, vi } from 'vitest';
import { FIELD_ERRORS, FINDINGS, REASONS, type Explained } from '../../src/lib/api-codes.ts';
import { CODES_DE } from '../../console/texts/codes-de.ts';
import { fill, namesIn, type Template } from '../../console/texts/codes.ts';
import { REFUSALS } from './relay.mjs';

/** The relay's own sentence, and the parts of a finding's id. */
const ALWAYS = ['english', 'of', 'other', 'list'];

const unknownIn = (template: Template = [], params = ''): readonly string[] =>
  [template]
    .flat()
    .flatMap((one) => namesIn(one).filter((name) => ![...params.split(' '), ...ALWAYS].includes(name)));

test('each code has a text in German, with no values but its own, and one that needs none if they may be absent', () => {
  const { causes, endings, faults, findings, problems, reasons, titles } = CODES_DE;
  const codes: readonly (readonly [
    Readonly<Record<string, Template>>,
    Readonly<Record<string, Explained>>,
  ])[] = [
    [reasons, REASONS],
    [faults, FIELD_ERRORS],
  ];
  for (const [texts, all] of codes)
    for (const [code, [, , params]] of Object.entries(all))
      expect(unknownIn(texts[code], params), code).toEqual([]);
  const ofReasons = Object.values<Explained>(REASONS).map(([, , params = '']) => params);
  for (const text of [...Object.values(causes), ...endings])
    expect(unknownIn(text, ['says', ...ofReasons].join(' ')), text.toString()).toEqual([]);
  for (const [code, text] of Object.entries(faults)) expect(fill(text, { english: '' }), code).not.toBeNull();
  const found: Readonly<Record<string, readonly [what: string, params?: string]>> = FINDINGS;
  for (const [code, { detail, remedy }] of Object.entries(findings)) {
    const [, params] = found[code] ?? [];
    expect([...unknownIn(detail, params), ...unknownIn(remedy, params)], code).toEqual([]);
  }
  const refusals = Object.values(REFUSALS).map(({ type }) => type);
  expect(refusals.filter((type) => unknownIn(problems[type] ?? '{none}').length > 0)).toEqual([]);
  expect(Object.keys(problems).filter((type) => !refusals.includes(type))).toEqual([]);
  expect(unknownIn(Object.values(titles).flat())).toEqual([]);
});

const english = (text: string): string => `\u2068${text}\u2069`;

const failure = { route: 'paid', parameter: 'to', expression: '', code: 'required', reason: 'no' } as const;
const rejected = { code: 'rejected', params: { status: '422' } } as const;
const answered = { outcome: 'rejected', ...rejected, detail: '422', response: '{"message":"No!"}' } as const;
const attempts = [{ ...answered, n: 1, at: '', duration_ms: 1 }];
const dead = { attempts, code: 'rejected', reason: '422', reason_params: rejected.params } as const;

test('in English they are the sentences of the relay', async () => {
  vi.resetModules();
  vi.stubGlobal('location', { hostname: 'relay.example' });
  vi.stubGlobal('navigator', { languages: ['en-GB'] });
  const { failureText, stateReason } = await import('../../console/texts/relay-texts.ts');
  expect([failureText(failure), stateReason(dead)]).toEqual(['no', '422 (“No!”)']);
  vi.unstubAllGlobals();
});

test('German texts have the values of a code, and the sentence of the relay where the code says too little', async () => {
  vi.resetModules();
  vi.stubGlobal('location', { hostname: 'relay.example' });
  vi.stubGlobal('navigator', { languages: ['de-DE'] });
  const { failureText, faultText, findingText, noteText, problemText, stateReason } =
    await import('../../console/texts/relay-texts.ts');
  const near = { what: 'list', name: 'owner', near: 'owners' };
  expect([
    faultText({ code: 'unknown-name', message: 'no', params: near }),
    faultText({ code: 'not-one-of', message: 'must be a or b' }),
    faultText({ code: 'still-sends', message: 'no', params: { waiting: '1' } }),
    faultText({ code: 'of-a-newer-relay', message: 'is new' }),
    problemText({ code: 'conflict', message: 'It was sent.' }),
    problemText({ code: 'constructor', message: 'x' }),
    failureText(failure),
    stateReason(dead),
    stateReason({ ...dead, code: 'cancelled', reason_params: { by: 'Ada' } }),
    stateReason({ ...dead, reason: 'hidden' }),
    noteText('put sources/shop'),
    noteText('Less noise'),
  ]).toEqual([
    '`owner` gibt es nicht; meintest du `owners`?',
    `ist hier nicht erlaubt: ${english('must be a or b')}`,
    'wird entfernt, hat aber noch 1 Nachricht zu senden',
    english('is new'),
    `Das geht gerade nicht: ${english('It was sent.')}`,
    english('x'),
    `\`to\`: fehlt: ${english('no')}`,
    'vom Gateway zurückgewiesen (422) („No!“)',
    'abgebrochen von Ada',
    '',
    'sources/shop gespeichert',
    'Less noise',
  ]);
  const check = {
    id: 'account:shop:dead',
    code: 'given-up',
    title: 'Account shop',
    remedy: 'See why: npx x',
  };
  expect([
    findingText({ ...check, detail: '2 messages given up', params: { messages: '2' } }),
    findingText({ ...check, detail: 'hidden', params: { messages: 'hidden' } }).detail,
    findingText({ id: 'gateway:default', code: 'newer', title: 'Gateway', detail: 'is new' }),
  ]).toEqual([
    {
      title: 'Konto shop',
      detail: '2 Nachrichten aufgegeben',
      remedy: 'Sieh nach, warum. Dann sende sie noch einmal, oder brich jede einzeln ab:',
      hasCommands: false,
    },
    'Für Betrachter verborgen',
    { title: 'Gateway', detail: english('is new'), remedy: '', hasCommands: true },
  ]);
  vi.unstubAllGlobals();
});
