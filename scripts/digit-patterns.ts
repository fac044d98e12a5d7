/**
 * Patterns of digits as they are in metadata of phone numbers: digits, `d` for any of them, classes, groups, `|`, `?`
 * and `{n,m}`. Each means a finite set of texts, which is kept as its smallest automaton. Equal sets have one
 * automaton, so two patterns mean the same exactly if they have the same object.
 */

/** A state: whether a text may end here, and what comes after each digit; null: nothing. */
export interface State {
  readonly id: number;
  readonly isEnd: boolean;
  readonly next: readonly (State | null)[];
}

export const DIGITS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const states = new Map<string, State>();

function stateOf(isEnd: boolean, next: readonly (State | null)[]): State {
  const key = `${isEnd}:${next.map((one) => one?.id ?? '').join(',')}`;
  const known = states.get(key) ?? { id: states.size, isEnd, next };
  states.set(key, known);
  return known;
}

export const NOTHING = stateOf(
  false,
  DIGITS.map(() => null),
);
/** Only the empty text. */
const END = stateOf(
  true,
  DIGITS.map(() => null),
);

/** Memoizes `work` for each pair of states. */
function memoizedPair(work: (a: State, b: State) => State): (a: State, b: State) => State {
  const known = new Map<string, State>();
  return (a, b) => {
    const key = `${a.id}/${b.id}`;
    const made = known.get(key) ?? work(a, b);
    known.set(key, made);
    return made;
  };
}

/** The union: the texts of both. */
export const either = memoizedPair((a, b) =>
  stateOf(
    a.isEnd || b.isEnd,
    DIGITS.map((digit) => {
      const [x = null, y = null] = [a.next[digit], b.next[digit]];
      return x === null || y === null ? (x ?? y) : either(x, y);
    }),
  ),
);

/** The intersection: the texts that are in both. */
export const both = memoizedPair((a, b) =>
  a === NOTHING || b === NOTHING
    ? NOTHING
    : stateOf(
        a.isEnd && b.isEnd,
        DIGITS.map((digit) => some(both(a.next[digit] ?? NOTHING, b.next[digit] ?? NOTHING))),
      ),
);

/** The difference: the texts of the first that are not in the second. */
export const without = memoizedPair((a, b) =>
  a === NOTHING
    ? a
    : stateOf(
        a.isEnd && !b.isEnd,
        DIGITS.map((digit) => some(without(a.next[digit] ?? NOTHING, b.next[digit] ?? NOTHING))),
      ),
);

const some = (state: State): State | null => (state === NOTHING ? null : state);

/** The concatenation: each text of the first, followed by each text of the second. */
export const joined = memoizedPair((a, b) => {
  const rest = stateOf(
    false,
    a.next.map((one) => one && joined(one, b)),
  );
  return a.isEnd ? either(rest, b) : rest;
});

/** The automaton of a pattern. Throws for a pattern with any other syntax. */
export function readPattern(pattern: string): State {
  let at = 0;
  const isNext = (character: string): boolean => pattern[at] === character && (at += 1) > 0;

  const choice = (): State => {
    let made = sequence();
    while (isNext('|')) made = either(made, sequence());
    return made;
  };
  const sequence = (): State => {
    const parts: State[] = [];
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') parts.push(repeated(piece()));
    return parts.reduceRight((rest, part) => joined(part, rest), END);
  };
  const piece = (): State => {
    if (isNext('(')) {
      const made = choice();
      if (!isNext(')')) throw new Error(`a group does not end: ${pattern}`);
      return made;
    }
    const [text, listed] = /^(?:\d|d|\[([\dd-]+)\])/.exec(pattern.slice(at)) ?? [];
    if (text === undefined) throw new Error(`unknown at ${at}: ${pattern}`);
    at += text.length;
    const one = new RegExp(`^[${(listed ?? text).replace('d', '0-9')}]$`);
    return stateOf(
      false,
      DIGITS.map((digit) => (one.test(String(digit)) ? END : null)),
    );
  };
  const repeated = (one: State): State => {
    if (isNext('?')) return either(END, one);
    const [text = '', least = '1', most = least] = /^\{(\d+)(?:,(\d+))?\}/.exec(pattern.slice(at)) ?? [];
    at += text.length;
    let made = Number(least) === 0 ? END : NOTHING;
    for (let times = 1, so = one; times <= Number(most); times += 1, so = joined(one, so))
      if (times >= Number(least)) made = either(made, so);
    return made;
  };

  const made = choice();
  if (at < pattern.length) throw new Error(`unknown at ${at}: ${pattern}`);
  return made;
}
