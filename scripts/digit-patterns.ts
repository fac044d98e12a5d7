/**
 * Patterns of digits as they are in metadata of phone numbers: digits, `d` for any of them, classes, groups, `|`, `?`
 * and `{n,m}`. Each means a finite set of texts, which is kept as its smallest automaton. Equal sets have one
 * automaton, so two patterns mean the same exactly if they have the same object.
 */

/** A state: whether a text may end here, and what comes after each digit; null: nothing. */
interface State {
  readonly id: number;
  readonly isEnd: boolean;
  readonly next: readonly (State | null)[];
}

const DIGITS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const states = new Map<string, State>();

function stateOf(isEnd: boolean, next: readonly (State | null)[]): State {
  const key = `${isEnd}:${next.map((one) => one?.id ?? '').join(',')}`;
  const known = states.get(key) ?? { id: states.size, isEnd, next };
  states.set(key, known);
  return known;
}

const NOTHING = stateOf(
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
const either = memoizedPair((a, b) =>
  stateOf(
    a.isEnd || b.isEnd,
    DIGITS.map((digit) => {
      const [x = null, y = null] = [a.next[digit], b.next[digit]];
      return x === null || y === null ? (x ?? y) : either(x, y);
    }),
  ),
);

/** The concatenation: each text of the first, followed by each text of the second. */
const joined = memoizedPair((a, b) => {
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

/**
 * A pattern of the same meaning, grouped by its number of final digits that may be any; the given one if that is
 * shorter.
 */
export function shorterPattern(pattern: string): string {
  const meaning = readPattern(pattern);
  const tails = [...tailsOf(meaning)].toSorted((a, b) => a.length - b.length);
  const written = tails
    .map((tail) => {
      const { text, isChoice } = write(before(meaning, tail));
      return `${isChoice && tail !== '' ? `(${text})` : text}${tail}`;
    })
    .join('|')
    .replaceAll(/d{3,}/g, (run) => `d{${run.length}}`);
  if (readPattern(written) !== meaning) throw new Error(`not the same:\n${pattern}\n${written}`);
  return written.length < pattern.length ? written : pattern;
}

/** The pattern of a set in which all digits are equivalent; null for other sets. */
function tailOf({ isEnd, next: [first = null, ...others] }: State): string | null {
  if (others.some((one) => one !== first)) return null;
  if (first === null) return isEnd ? '' : null;
  const rest = tailOf(first);
  if (rest === null) return null;
  return isEnd ? `(d${rest})?` : `d${rest}`;
}

function tailsOf(start: State): ReadonlySet<string> {
  const [tails, seen] = [new Set<string>(), new Set([start])];
  // Iteration over a set includes elements that are added meanwhile.
  for (const state of seen) {
    const tail = tailOf(state);
    if (tail !== null) tails.add(tail);
    else {
      if (state.isEnd) tails.add('');
      for (const one of state.next) if (one !== null) seen.add(one);
    }
  }
  return tails;
}

/** The texts before a tail, of those that end with it. */
function before(start: State, tail: string): State {
  const known = new Map<State, State>();
  const made = (state: State): State => {
    const own = tailOf(state);
    if (own !== null) return own === tail ? END : NOTHING;
    const next = state.next.map((one) => {
      const rest = one === null ? NOTHING : once(one);
      return rest === NOTHING ? null : rest;
    });
    return stateOf(state.isEnd && tail === '', next);
  };
  const once = (state: State): State => {
    const result = known.get(state) ?? made(state);
    known.set(state, result);
    return result;
  };
  return once(start);
}

interface Written {
  readonly text: string;
  /** It has a `|` outside of any group. */
  readonly isChoice: boolean;
}

function write(state: State): Written {
  const ways = Map.groupBy(
    DIGITS.filter((digit) => state.next[digit] !== null),
    (digit) => state.next[digit] ?? NOTHING,
  );
  const choices = [...ways].map(([next, digits]) => {
    const { text, isChoice } = write(next);
    return `${classOf(digits)}${isChoice ? `(${text})` : text}`;
  });
  const text = choices.join('|');
  if (!state.isEnd || text === '') return { text, isChoice: choices.length > 1 };
  return { text: `(${text})?`, isChoice: false };
}

/** `d`, `7`, `[0-49]`. */
function classOf(digits: readonly number[]): string {
  if (digits.length === DIGITS.length) return 'd';
  if (digits.length === 1) return digits.join('');
  return `[${digits.join('').replaceAll(RUN, (run) => `${run.charAt(0)}-${run.charAt(run.length - 1)}`)}]`;
}

/** Three digits or more that follow each other. */
const RUN = new RegExp(
  DIGITS.flatMap((from) =>
    DIGITS.filter((to) => to >= from + 2).map((to) => DIGITS.slice(from, to + 1).join('')),
  )
    .toSorted((a, b) => b.length - a.length)
    .join('|'),
  'g',
);
