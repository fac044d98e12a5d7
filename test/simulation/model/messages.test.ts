import { expect, it } from 'vitest';
import { MINUTE } from './history.ts';
import { idOf, MessagesModel, type GatewayCall, type Owed } from './messages.ts';

const PHONE = '4915112345601';
const RETRIES = 6;
const OUTCOMES = ['sent', 'retry', 'dead', 'uncertain'] as const;
const SHORT = 'short';

const owed = (text: string, at: number, over: Partial<Owed> = {}): Owed => ({
  source: 'orders',
  phone: PHONE,
  text,
  isHeld: false,
  other: null,
  requestedAt: at,
  acceptedAt: at + 10,
  ...over,
});

/** Keys of what is accepted, by the words of a story. */
const KEYS: Readonly<Record<string, Partial<Owed>>> = {
  held: { isHeld: true },
  expires: { expiresMs: 30 * MINUTE },
  followed: { fallback: SHORT },
  handed: { other: 'default' },
};

/**
 * What happens, each with its time in seconds: `0 takes a`: it is accepted; `1 a retry`: it is called, and fails; `by
 * second`: by another account. `2 digest:3`: it takes the place of so many. `2 lost`: an instance is; `2 unreachable`: a call cannot be made; `3 again a`: a person wants it.
 */
function tell(model: MessagesModel, story: string): void {
  const held = new Set<string>();
  for (const event of story.split('; ').filter((one) => one !== '')) {
    const [time = '', verb = '', ...words] = event.split(' ');
    const at = Number(time) * 1_000;
    const [text = ''] = words;
    if (verb === 'takes') {
      const how = words.reduce<Partial<Owed>>((over, word) => ({ ...over, ...KEYS[word] }), {});
      model.accepted(owed(text, at, how));
      if (words.includes('held')) held.add(text);
    } else if (verb === 'lost') model.lost(at);
    else if (verb === 'unreachable') model.unreachable(at);
    else if (verb === 'again') model.again({ phone: PHONE, text }, at);
    else {
      const outcome: GatewayCall['outcome'] = OUTCOMES.find((one) => words.includes(one)) ?? 'sent';
      const account = words.includes('second') ? 'second' : 'default';
      const isShown = outcome === 'sent';
      const call = { at, endsAt: at + 300, account, phone: PHONE, text: textOf(verb), outcome, isShown };
      model.called(call, held.has(verb));
    }
  }
}

/** What a phone shows: a digest of so many, or the word itself. */
const textOf = (word: string): string => word.replace(/^digest:(.*)$/, 'Since noon:\n$1 messages:\n• a');

/** The rules that a story breaks, `states` being what the relay says of its messages at the end: `a sent, b dead`. */
function broken(story: string, states: string): readonly string[] {
  const rules = new Set<string>();
  const model = new MessagesModel(
    (rule) => void rules.add(rule),
    RETRIES,
    () => false,
    2,
  );
  tell(model, story);
  const named = states.split(', ').map((state) => {
    const [text = '', ...all] = state.split(' ');
    return [idOf({ phone: PHONE, text: textOf(text) }), all] as const;
  });
  model.atQuiet(new Map(states === '' ? [] : named));
  return [...rules];
}

/** Stories, the states in the end, and the rules that are broken. */
type Row = readonly [story: string, states: string, ...broken: string[]];

const LOST = 'nothing accepted is lost';
const TWICE = 'a message that was sent is not sent again';
const DEAD = 'a message that is dead is not tried again';
const HELD = 'a message that is held is not tried again by itself';
const SAYS = 'the API says what happened to a message';
const IN_ORDER = 'messages to a receiver leave in order';
const EARLY = 'nothing expires before it is too old';
const LATE = 'what is too old is not sent';
const FALLBACK = 'a fallback is sent only for a dead message';

const tries = (count: number): string =>
  ['0 takes a', ...Array.from({ length: count }, (_, n) => `${60 * (n + 1)} a retry`)].join('; ');

const WAITS = '0 takes a; 0.1 takes b; 0.2 takes c';
const COUNTED = 'a summarized, b summarized, c summarized, digest:3 sent';

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  'that are accepted, sent once and said to be sent break no rule, also before their sender has the answer': [
    ['0 takes a; 1 a', 'a sent'],
    ['0.005 a; 0 takes a', 'a sent'],
  ],
  'that are never sent, retried no more though the schedule goes on, or listed nowhere are lost': [
    ['0 takes a', 'a queued', LOST],
    [tries(RETRIES), 'a dead', LOST],
    [tries(RETRIES + 1), 'a dead'],
    ['0 takes a; 1 a', '', 'each message that was accepted is listed'],
  ],
  'that nobody accepted must not be sent': [['1 x', '', 'what is sent was accepted']],
  'are not sent again once they are sent, but for an instance that was lost meanwhile, and is not held': [
    ['0 takes a; 1 a; 60 a', 'a sent', TWICE],
    ['0 takes a; 1.2 lost; 1 a; 60 a', 'a sent'],
    ['0 takes a held; 1.2 lost; 1 a; 60 a', 'a sent', TWICE],
    // Long after it was written down.
    ['0 takes a; 50 lost; 1 a; 60 a', 'a sent', TWICE],
  ],
  'that another account sends are sent once, maybe before their sender knows of them': [
    ['0 takes a handed; 1 a by second dead; 600 a', 'a sent superseded'],
    ['0 takes a handed; 1 a by second retry; 600 a', 'a sent superseded'],
    ['0 takes a handed; 1 a by second; 600 a', 'a sent superseded', TWICE],
    ['0 takes a handed; 600 a; 700 a', 'a sent superseded', TWICE],
    ['0 takes a handed; 1 a by second dead', 'a dead superseded', LOST],
    ['1 a by second dead; 2 a; 0 takes a handed', 'a sent'],
    ['1 a by second dead; 2 a by second; 0 takes a handed', 'a sent', DEAD],
  ],
  'that are uncertain are tried again, unless they are held, and none that is dead': [
    ['0 takes a; 1 a uncertain; 60 a', 'a sent'],
    ['0 takes a held; 1 a uncertain; 60 a', 'a sent', HELD],
    ['0 takes a; 1 a dead; 60 a', 'a sent', DEAD],
  ],
  'are under way once at a time': [
    ['0 takes a; 1 a retry; 1.1 a', 'a sent', 'a message is under way once at a time'],
  ],
  'leave in the order in which they were accepted, but for what was tried in vain: retries hold up nobody': [
    ['0 takes a; 0.1 takes b; 1 a; 2 b', 'a sent, b sent'],
    ['0 takes a; 0.1 takes b; 1 b; 2 a', 'a sent, b sent', IN_ORDER],
    ['0 takes a; 0.1 takes b; 0.2 unreachable; 1 b; 2 a', 'a sent, b sent'],
  ],
  'are what the API says': [
    ['0 takes a; 1 a', 'a retrying', SAYS],
    ['0 takes a; 1 a dead', 'a sent', SAYS],
    ['0 takes a; 1 a dead', 'a dead'],
  ],
  'that a digest took the place of are not lost, if more than may wait did, and nobody has tried them': [
    [`${WAITS}; 60 digest:3`, COUNTED],
    [`${WAITS}; 60 digest:2`, COUNTED.replace('3', '2'), 'only more than may wait become one message'],
    [`${WAITS}; 1 b retry; 60 digest:3`, COUNTED, 'what was tried is in no digest', LOST],
    [`${WAITS}; 1 b retry; 2 lost; 60 digest:3`, COUNTED],
    [WAITS, 'a cancelled, b cancelled, c cancelled', LOST],
  ],
  'that a person retries or replays are not judged as one': [
    ['0 takes a; 1 a; 30 again a; 60 a', 'a sent sent'],
  ],
  'that are too old may be left unsent, and end as expired': [
    ['0 takes a expires; 60 takes b; 2400 b', 'a expired, b sent'],
    ['0 takes a expires; 60 takes b; 60 a retry; 120 b', 'a expired, b sent'],
    ['0 takes a expires; 60 takes b; 2400 b', 'a queued, b sent', LOST],
    ['0 takes a expires; 60 takes b; 2400 b', 'a cancelled, b sent', LOST],
    ['0 takes a', 'a expired', LOST],
  ],
  'that are too old were not overtaken before, but for what may have been tried in vain, and are not sent': [
    ['0 takes a expires; 60 takes b; 120 b', 'a expired, b sent', EARLY],
    ['0 takes a expires; 60 takes b; 180 lost; 120 b', 'a expired, b sent', EARLY],
    ['0 takes a expires; 60 takes b; 90 unreachable; 120 b', 'a expired, b sent'],
    ['0 takes a expires; 60 takes b; 2400 a; 2460 b', 'a sent, b sent', LATE],
    ['0 takes a expires; 60 takes b; 1860 a; 2460 b', 'a sent, b sent'],
  ],
  'that are too old and that a person replays come when they are replayed': [
    ['0 takes a expires; 60 takes b; 2400 again a; 2460 b; 2520 a', 'a expired sent, b sent'],
    ['0 takes a expires; 60 takes b; 600 again a; 660 b; 720 a', 'a expired sent, b sent', IN_ORDER],
    ['0 takes a expires; 60 takes b; 2400 again a; 2460 b; 2520 a', 'a sent sent, b sent', IN_ORDER],
    ['0 takes a; 60 takes b; 2400 again a; 2460 b; 2520 a', 'a sent sent, b sent', IN_ORDER],
  ],
  'that are dead have their fallback, which is sent once, and not in place of what is sent or tried': [
    ['0 takes a followed; 60 a dead; 120 short', 'a dead, short sent'],
    ['0 takes a followed; 60 a dead; 120 short dead', 'a dead, short dead'],
    ['0 takes a followed; 60 a', 'a sent'],
    ['0 takes a followed; 60 a; 120 short', 'a sent, short sent', FALLBACK],
    ['0 takes a followed; 60 a retry; 120 short; 180 a dead', 'a dead, short sent', FALLBACK, DEAD],
    ['0 takes a followed; 60 a dead', 'a dead', 'a dead message has its fallback'],
    ['0 takes a followed; 60 a dead', 'a dead, short queued', LOST],
    ['0 takes a followed; 60 a dead; 120 short retry', 'a dead, short retrying', LOST],
    ['0 takes a followed; 60 a dead; 120 short; 180 short', 'a dead, short sent', TWICE],
    // It is over, also if a person tries its message again.
    ['0 takes a followed; 60 a dead; 120 short dead; 180 again a; 240 a', 'a sent, short dead'],
  ],
};

it.each(Object.entries(ROWS))('messages %s', (_, rows) => {
  expect(rows.map(([story, states]) => [story, states, ...broken(story, states)])).toEqual(rows);
});

/** True if nothing waits any more at this minute. */
const isSettled = (story: string, at: number): boolean => {
  const model = new MessagesModel(() => undefined, RETRIES);
  tell(model, story);
  return model.isSettled(at * MINUTE);
};

it('all is settled once what may expire was surely looked at, and a fallback was sent', () => {
  expect([120, 240].map((minutes) => isSettled('0 takes a expires', minutes))).toEqual([false, true]);
  expect(isSettled('0 takes a', 240)).toBe(false);
  expect(isSettled('0 takes a followed; 60 a', 1)).toBe(true);
  expect(isSettled('0 takes a followed; 60 a dead', 1)).toBe(false);
  expect(isSettled('0 takes a followed; 60 a dead; 120 short', 1)).toBe(true);
});
