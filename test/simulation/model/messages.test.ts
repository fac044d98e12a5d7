import { describe, expect, it } from 'vitest';
import { idOf, MessagesModel, type GatewayCall, type Owed } from './messages.ts';

const PHONE = '4915112345601';
const RETRIES = 6;

const owed = (text: string, at: number, isHeld = false): Owed => ({
  source: 'orders',
  phone: PHONE,
  text,
  isHeld,
  other: null,
  requestedAt: at,
  acceptedAt: at + 10,
});

const call = (text: string, at: number, outcome: GatewayCall['outcome'] = 'sent'): GatewayCall => ({
  at,
  endsAt: at + 300,
  account: 'default',
  phone: PHONE,
  text,
  outcome,
  isShown: outcome === 'sent',
});

/** The rules that a history breaks, `states` being what the relay says of its messages at the end. */
function broken(
  history: (model: MessagesModel, called: (one: GatewayCall, isHeld?: boolean) => void) => void,
  states: Readonly<Record<string, readonly string[]>> = {},
): readonly string[] {
  const rules: string[] = [];
  const model = new MessagesModel((rule) => void rules.push(rule), RETRIES);
  history(model, (one, isHeld = false) => model.called(one, isHeld));
  const named = Object.entries(states).map(([text, all]) => [idOf({ phone: PHONE, text }), all] as const);
  model.atQuiet(new Map(named));
  return [...new Set(rules)];
}

const tries = (count: number): readonly string[] =>
  broken(
    (model, called) => {
      model.accepted(owed('order 1', 0));
      for (let n = 1; n <= count; n += 1) called(call('order 1', n * 60_000, 'retry'));
    },
    { 'order 1': ['dead'] },
  );

const twice = (lossAt: number | null, isHeld: boolean): readonly string[] =>
  broken(
    (model, called) => {
      model.accepted(owed('order 1', 0, isHeld));
      if (lossAt !== null) model.lost(lossAt);
      called(call('order 1', 1_000), isHeld);
      called(call('order 1', 60_000), isHeld);
    },
    { 'order 1': ['sent'] },
  );

/**
 * Returns the rules that are broken when this account sends a message that another has given up, before its sender
 * has an answer.
 */
const early = (account: string): readonly string[] =>
  broken(
    (model, called) => {
      called({ ...call('batch 1', 1_000, 'dead'), account: 'second' });
      called({ ...call('batch 1', 2_000), account });
      model.accepted({ ...owed('batch 1', 0), other: 'default' });
    },
    { 'batch 1': ['sent'] },
  );

const again = (isHeld: boolean): readonly string[] =>
  broken(
    (model, called) => {
      model.accepted(owed('order 1', 0, isHeld));
      called(call('order 1', 1_000, 'uncertain'), isHeld);
      called(call('order 1', 60_000), isHeld);
    },
    { 'order 1': ['sent'] },
  );

const inOrder = (first: string, second: string, tried: boolean): readonly string[] =>
  broken(
    (model, called) => {
      model.accepted(owed('order 1', 0));
      model.accepted(owed('order 2', 100));
      if (tried) model.unreachable(200);
      called(call(first, 1_000));
      called(call(second, 2_000));
    },
    { 'order 1': ['sent'], 'order 2': ['sent'] },
  );

const said = (outcome: GatewayCall['outcome'], state: string): readonly string[] =>
  broken(
    (model, called) => {
      model.accepted(owed('order 1', 0));
      called(call('order 1', 1_000, outcome));
    },
    { 'order 1': [state] },
  );

const handed = (...calls: readonly GatewayCall[]): readonly string[] =>
  broken(
    (model, called) => {
      model.accepted({ ...owed('batch 1', 0), other: 'default' });
      for (const one of calls) called(one);
    },
    { 'batch 1': ['sent', 'superseded'] },
  );

const MINUTE = 60_000;
const SHORT = 'order 1 in short';

/** A message that is too old after half an hour, with these calls, and its state in the end; another one comes after it, and is sent. */
const old = (state: string, ...calls: readonly GatewayCall[]): readonly string[] =>
  broken(
    (model, called) => {
      model.accepted({ ...owed('order 1', 0), expiresMs: 30 * MINUTE });
      model.accepted(owed('order 2', MINUTE));
      for (const one of calls) called(one);
    },
    { 'order 1': [state], 'order 2': ['sent'] },
  );

/** The same, if the other one is sent long before; `what` happens, too. */
const overtaken = (what: (model: MessagesModel) => void): readonly string[] =>
  broken(
    (model, called) => {
      model.accepted({ ...owed('order 1', 0), expiresMs: 30 * MINUTE });
      model.accepted(owed('order 2', MINUTE));
      what(model);
      called(call('order 2', 2 * MINUTE));
    },
    { 'order 1': ['expired'], 'order 2': ['sent'] },
  );

/** A message with a fallback, these calls, and the states of both in the end. */
const followed = (
  states: readonly [of: readonly string[], fallback: readonly string[]],
  ...calls: readonly GatewayCall[]
): readonly string[] =>
  broken(
    (model, called) => {
      model.accepted({ ...owed('order 1', 0), fallback: SHORT });
      for (const one of calls) called(one);
    },
    { 'order 1': states[0], [SHORT]: states[1] },
  );

/** True if nothing waits any more then. */
const isSettled = (at: number, more: Partial<Owed>, ...calls: readonly GatewayCall[]): boolean => {
  const model = new MessagesModel(() => undefined, RETRIES);
  model.accepted({ ...owed('order 1', 0), ...more });
  for (const one of calls) model.called(one, false);
  return model.isSettled(at);
};

describe('messages', () => {
  it('that are accepted, sent once and said to be sent break no rule', () => {
    expect(
      broken(
        (model, called) => {
          model.accepted(owed('order 1', 0));
          called(call('order 1', 1_000));
        },
        { 'order 1': ['sent'] },
      ),
    ).toEqual([]);
  });

  it('may be sent before their sender has the answer', () => {
    expect(
      broken(
        (model, called) => {
          called(call('order 1', 5));
          model.accepted(owed('order 1', 0));
        },
        { 'order 1': ['sent'] },
      ),
    ).toEqual([]);
  });

  it('that are accepted and never sent are lost', () => {
    expect(broken((model) => model.accepted(owed('order 1', 0)), { 'order 1': ['queued'] })).toEqual([
      'nothing accepted is lost',
    ]);
  });

  it('that are retried no more, though the schedule goes on, are lost', () => {
    expect(tries(RETRIES)).toEqual(['nothing accepted is lost']);
    expect(tries(RETRIES + 1)).toEqual([]);
  });

  it('that are listed nowhere are missed', () => {
    expect(
      broken((model, called) => {
        model.accepted(owed('order 1', 0));
        called(call('order 1', 1_000));
      }),
    ).toEqual(['each message that was accepted is listed']);
  });

  it('that nobody accepted must not be sent', () => {
    expect(broken((_, called) => called(call('order 9', 1_000)))).toEqual(['what is sent was accepted']);
  });

  it('are not sent again once they are sent, but for an instance that was lost meanwhile', () => {
    expect(twice(null, false)).toEqual(['a message that was sent is not sent again']);
    expect(twice(1_200, false)).toEqual([]);
    // Not even those, where what is uncertain waits for a person.
    expect(twice(1_200, true)).toEqual(['a message that was sent is not sent again']);
    // Long after it was written down.
    expect(twice(50_000, false)).toEqual(['a message that was sent is not sent again']);
  });

  it('that another account sends are sent once, and lost if no account sends them', () => {
    const own = { ...call('batch 1', 1_000), account: 'second' };
    const other = call('batch 1', 600_000);
    expect(handed({ ...own, outcome: 'dead' }, other)).toEqual([]);
    expect(handed({ ...own, outcome: 'retry' }, other)).toEqual([]);
    expect(handed(own, other)).toEqual(['a message that was sent is not sent again']);
    expect(handed(other, { ...other, at: 700_000 })).toEqual(['a message that was sent is not sent again']);
    expect(handed({ ...own, outcome: 'dead' })).toContain('nothing accepted is lost');
  });

  it('that are uncertain are tried again, unless they are held', () => {
    expect(again(false)).toEqual([]);
    expect(again(true)).toEqual(['a message that is held is not tried again by itself']);
  });

  it('that are dead are not tried again', () => {
    expect(
      broken(
        (model, called) => {
          model.accepted(owed('order 1', 0));
          called(call('order 1', 1_000, 'dead'));
          called(call('order 1', 60_000));
        },
        { 'order 1': ['sent'] },
      ),
    ).toEqual(['a message that is dead is not tried again']);
  });

  it('that another account sends may be sent before their sender knows of them', () => {
    expect(early('default')).toEqual([]);
    expect(early('second')).toEqual(['a message that is dead is not tried again']);
  });

  it('are under way once at a time', () => {
    expect(
      broken(
        (model, called) => {
          model.accepted(owed('order 1', 0));
          called(call('order 1', 1_000, 'retry'));
          called(call('order 1', 1_100));
        },
        { 'order 1': ['sent'] },
      ),
    ).toEqual(['a message is under way once at a time']);
  });

  it('leave in the order in which they were accepted', () => {
    expect(inOrder('order 1', 'order 2', false)).toEqual([]);
    expect(inOrder('order 2', 'order 1', false)).toEqual(['messages to a receiver leave in order']);
    // The first was tried in vain, and retries hold up nobody.
    expect(inOrder('order 2', 'order 1', true)).toEqual([]);
  });

  it('are what the API says', () => {
    expect(said('sent', 'retrying')).toEqual(['the API says what happened to a message']);
    expect(said('dead', 'sent')).toEqual(['the API says what happened to a message']);
    expect(said('dead', 'dead')).toEqual([]);
  });

  it('that a person retries or replays are not judged as one', () => {
    expect(
      broken(
        (model, called) => {
          model.accepted(owed('order 1', 0));
          called(call('order 1', 1_000));
          model.again({ phone: PHONE, text: 'order 1' }, 30_000);
          called(call('order 1', 60_000));
        },
        { 'order 1': ['sent', 'sent'] },
      ),
    ).toEqual([]);
  });
});

const next = (at: number): GatewayCall => call('order 2', at);

describe('a message that is too old', () => {
  it('may be left unsent', () => {
    expect(old('expired', next(40 * MINUTE))).toEqual([]);
    expect(old('expired', call('order 1', MINUTE, 'retry'), next(2 * MINUTE))).toEqual([]);
  });

  it('ends as expired, and not in another way', () => {
    expect(old('queued', next(40 * MINUTE))).toEqual(['nothing accepted is lost']);
    expect(old('cancelled', next(40 * MINUTE))).toEqual(['nothing accepted is lost']);
  });

  it('was not overtaken before by one that came later', () => {
    expect(old('expired', next(2 * MINUTE))).toEqual(['nothing expires before it is too old']);
    expect(overtaken((model) => model.lost(3 * MINUTE))).toEqual(['nothing expires before it is too old']);
    // It may have been tried in vain, which makes no call.
    expect(overtaken((model) => model.unreachable(90_000))).toEqual([]);
  });

  it('is not sent', () => {
    const late = call('order 1', 40 * MINUTE);
    expect(old('sent', late, next(41 * MINUTE))).toEqual(['what is too old is not sent']);
    expect(old('sent', { ...late, at: 31 * MINUTE }, next(41 * MINUTE))).toEqual([]);
  });

  it('does not expire where nothing does', () => {
    expect(broken((model) => model.accepted(owed('order 1', 0)), { 'order 1': ['expired'] })).toEqual([
      'nothing accepted is lost',
    ]);
  });

  it('is waited for until it was surely looked at', () => {
    expect(isSettled(2 * 60 * MINUTE, { expiresMs: 30 * MINUTE })).toBe(false);
    expect(isSettled(4 * 60 * MINUTE, { expiresMs: 30 * MINUTE })).toBe(true);
    expect(isSettled(4 * 60 * MINUTE, {})).toBe(false);
  });
});

describe('the fallback of a message', () => {
  const dead = call('order 1', MINUTE, 'dead');
  const short = call(SHORT, 2 * MINUTE);

  it('is sent once the message is dead', () => {
    expect(followed([['dead'], ['sent']], dead, short)).toEqual([]);
    expect(followed([['dead'], ['dead']], dead, { ...short, outcome: 'dead' })).toEqual([]);
  });

  it('is not sent if the message is', () => {
    expect(followed([['sent'], []], call('order 1', MINUTE))).toEqual([]);
    expect(followed([['sent'], ['sent']], call('order 1', MINUTE), short)).toEqual([
      'a fallback is sent only for a dead message',
    ]);
  });

  it('is not sent while the message is tried', () => {
    const retry = call('order 1', MINUTE, 'retry');
    expect(followed([['dead'], ['sent']], retry, short, { ...dead, at: 3 * MINUTE })).toEqual([
      'a fallback is sent only for a dead message',
      'a message that is dead is not tried again',
    ]);
  });

  it('is not missing', () => {
    expect(followed([['dead'], []], dead)).toEqual(['a dead message has its fallback']);
  });

  it('is lost if it is never sent', () => {
    expect(followed([['dead'], ['queued']], dead)).toEqual(['nothing accepted is lost']);
    expect(followed([['dead'], ['retrying']], dead, { ...short, outcome: 'retry' })).toEqual([
      'nothing accepted is lost',
    ]);
  });

  it('is sent once', () => {
    expect(followed([['dead'], ['sent']], dead, short, { ...short, at: 3 * MINUTE })).toEqual([
      'a message that was sent is not sent again',
    ]);
  });

  it('that is dead is over, also if a person tries its message again', () => {
    expect(
      broken(
        (model, called) => {
          model.accepted({ ...owed('order 1', 0), fallback: SHORT });
          called(dead);
          called({ ...short, outcome: 'dead' });
          model.again({ phone: PHONE, text: 'order 1' }, 3 * MINUTE);
          called(call('order 1', 4 * MINUTE));
        },
        { 'order 1': ['sent'], [SHORT]: ['dead'] },
      ),
    ).toEqual([]);
  });

  it('is waited for', () => {
    expect(isSettled(MINUTE, { fallback: SHORT }, call('order 1', MINUTE))).toBe(true);
    expect(isSettled(MINUTE, { fallback: SHORT }, dead)).toBe(false);
    expect(isSettled(MINUTE, { fallback: SHORT }, dead, short)).toBe(true);
  });
});
