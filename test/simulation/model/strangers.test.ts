import { expect, it } from 'vitest';
import type { GatewayCall } from './messages.ts';
import { UrgentModel } from './strangers.ts';

const HOUR = 3_600_000;
const RULES = {
  account: 'default',
  perMinute: 6,
  perHour: null,
  strangersPerDay: 1,
  phones: ['anna'],
  areBatchesUrgent: true,
  steps: [{ afterMs: 600_000, phones: ['ben'] }],
} as const;

/** What happens, each at a second: an alert, a call with its text (`!`: blocked, `?`: it fails), what a person does. */
function brokenBy(story: string, faultAt = -Infinity): readonly string[] {
  const broken = new Set<string>();
  const model = new UrgentModel(
    (rule) => void broken.add(rule),
    RULES,
    () => faultAt,
  );
  for (const event of story.split('; ')) {
    const [second = '', verb = '', ...words] = event.split(' ');
    const at = HOUR + Number(second) * 1_000;
    const text = words.join(' ');
    const outcome = text.endsWith('!') ? 'forbidden' : text.endsWith('?') ? 'uncertain' : 'sent';
    const call = {
      at,
      endsAt: at + 200,
      account: 'default',
      isShown: true,
      outcome,
    } satisfies Partial<GatewayCall>;
    if (verb === 'alert') model.accepted(text, at - 10, at);
    else if (verb === 'over') model.ended(text, at);
    else if (verb === 'pause') model.paused(at);
    else if (verb === 'resume') model.resumed(at);
    else if (verb === 'looks') model.says({ isPaused: text === 'paused', isOpen: text === 'open' }, at);
    else if (verb === 'quiet') model.atQuiet(at);
    else model.called({ ...call, phone: verb, text: text.replace('!', ' <script').replace('?', '') });
  }
  return [...broken];
}

const LATE = ['an urgent alert is called at once'];
it.each<[string, ...broken: string[]]>([
  ['0 alert w1; 1 anna ward +w1; 500 over w1'],
  ['0 alert w1; 9 quiet', ...LATE],
  ['0 alert w1; 9 anna ward +w1', ...LATE],
  // The pace of the account, unless somebody else is called in its place.
  ['0 bob order 1; 0.1 alert w1; 12 anna ward +w1; 500 over w1'],
  ['0 bob order 1; 0.1 alert w1; 12 bob order 2; 23 anna ward +w1', ...LATE],
  // Batches are urgent as well.
  ['0 bob order 1; 0.1 alert w1; 12 bob batch 2; 23 anna ward +w1; 500 over w1'],
  ['0 bob order 1; 0.1 alert w1; 12 v guest 1; 12.1 anna ward +w1; 500 over w1'],
  // Its receiver has one message at a time; a person pauses; the gateway fails.
  ['0 alert w1; 4 pause; 60 resume; 60.1 anna ward +w1; 500 over w1'],
  ['0 alert w1; 4 pause; 60 over w1'],
  ['0 bob order 1?; 0.1 alert w1; 8 anna ward +w1; 500 over w1'],
  ['0 alert w1; 3 bob guest 1!; 20 anna ward +w1', ...LATE],
  // It escalates, and is named.
  ['0 alert w1; 1 anna ward +w1; 601 ben ward +w1; 900 over w1'],
  ['0 alert w1; 1 anna ward +w1; 700 over w1', 'an urgent alert escalates in time'],
  ['0 alert w1; 1 anna Since 3/1: • w1; 500 over w1'],
  ['0 anna ward: and at least 1 more.', 'an urgent alert is named'],
  // What strangers do shows nothing about the account.
  ['0 bob guest 1!; 1 looks paused', 'strangers alone pause no account'],
  [
    '0 bob guest 1!; 0 bob order 1!; 1 bob order 2; 2 resume; 3 looks paused',
    'strangers alone pause no account',
  ],
  ['0 bob order 1; 9 looks open', 'strangers alone open no circuit'],
  ['0 bob order 1; 1 bob order 2?; 4 looks open; 8 bob order 2; 8.5 looks open'],
  ['0 bob order 1; 1 bob order 2?; 8 bob order 2; 14 looks open', 'strangers alone open no circuit'],
  ['0 bob order 1?; 9 looks open'],
  ['0 a guest 1; 1 b guest 2; 2 c guest 3; 3 c guest 4'],
  ['0 a guest 1; 1 b guest 2; 2 c guest 3; 3 d guest 4', 'strangers have a third of the first contacts'],
])('urgent alerts beside strangers: %s', (story, ...broken) => {
  expect(brokenBy(story)).toEqual(broken);
  if (broken[0] === LATE[0]) expect(brokenBy(story, HOUR - 60_000)).toEqual([]);
});
