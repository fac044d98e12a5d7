import { memoized } from './cache.ts';

/** The longest text that a pattern of a document reads, in UTF-16 units. */
export const MAX_MATCHED = 4_096;

/** The choices that a pattern may make on {@link MAX_MATCHED} units. They take a tenth of a second at most. */
const MAX_STEPS = 4 * MAX_MATCHED ** 2;

/** The work of comparing one character, of which a choice takes many times as much. */
const CHARACTER = 1 / 16;

/** A part of a pattern, and how often it may come. `max` is 0 for what takes no characters, as `\\b` and `(?=a)`. */
interface Part {
  /** What it may begin with: a bit for each character, and from {@link REPEATED} on those that it repeats. */
  first: bigint;
  isOptional: boolean;
  readonly branches: readonly (readonly Part[])[] | null;
  min: number;
  max: number;
}

/** The work of a part: the ways in which it can match, its steps on a whole text, and those for one character. */
type Work = Readonly<{ ways: number; steps: number; each: number }>;

const TOKEN =
  /\[(?:\\.|[^\\\]])*\]|\\(?:[pPu]\{[^}]*\}|u.{4}|x..|c.|.)|\((?:\?(?:<?[=!]|[^:>]*[:>]))?|\{[\d,]+\}\??|[*+?]\??|./gsu;
/** Matches a token that is not judged: it looks or refers back, or changes flags. */
const UNJUDGED = /^\((?!$|\?[:=!]|\?<\w)|^\\[1-9k]/;
/** Matches a token that may stand for characters outside of ASCII. */
const WIDE = /[^\0-\x7f]|^\.|^\[\^|\\[DSWPpsux]/;
const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const OTHERS = 1n << 128n;
const NOTHING = 1n << 129n;
const ANY = NOTHING - 1n;
const REPEATED = 200n;
const ONE: Part = { first: 0n, isOptional: false, branches: null, min: 1, max: 1 };
const START: Part = { ...ONE };
const EDGE: Part = { ...ONE, isOptional: true, min: 0, max: 0 };

/**
 * True if a regular expression (with the flag `u`) is fast on every text. A choice that the next character decides is made
 * in one way. Any other multiplies the ways to match what follows: a repetition, by the length of the text. Such a one must
 * not be repeated itself, nor stand beside a repetition of the same characters. False for what is not judged.
 */
export function isFast(source: string): boolean {
  const tokens = Array.from(source.matchAll(TOKEN), ([token]) => token);
  if (tokens.some((token) => UNJUDGED.test(token))) return false;
  const steps = parse(tokens).map(
    (branch) => ofBranch(branch, null).steps * (branch[0] === START ? 1 : MAX_MATCHED),
  );
  return sum(steps) <= MAX_STEPS;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

function parse(tokens: readonly string[]): readonly (readonly Part[])[] {
  const outer: { branches: Part[][]; by: string }[] = [];
  let branches: Part[][] = [[]];
  const characters = memoized(charactersOf);
  for (const token of tokens) {
    const branch = branches.at(-1) ?? [];
    const last = branch.at(-1);
    if (token === '|') branches.push([]);
    else if (token.startsWith('(')) {
      outer.push({ branches, by: token });
      branches = [[]];
    } else if (token === ')') {
      const starts = branches.map(startOf);
      const first = starts.reduce((all, one) => all | one.first, 0n);
      const around = outer.pop();
      const group = /[=!]$/.test(around?.by ?? '')
        ? { ...EDGE, first: ANY, branches }
        : { ...ONE, first, isOptional: starts.some((one) => one.isOptional), branches };
      branches = around?.branches ?? [];
      branches.at(-1)?.push(group);
    } else if (last !== undefined && /^[*+?]|^\{./.test(token)) repeat(last, token);
    else if (token === '^') branch.push(START);
    else branch.push(/^\\b/i.test(token) ? EDGE : { ...ONE, first: characters(token) });
  }
  return branches;
}

function repeat(part: Part, token: string): void {
  const [least = token.startsWith('+') ? 1 : 0, most = token.startsWith('?') ? 1 : Infinity] =
    token.match(/\d+/g)?.map(Number) ?? [];
  part.min = least;
  part.max = /^\{\d+\}/.test(token) ? least : most;
  if (least === 0) part.isOptional = true;
  if (part.max === Infinity && part.branches === null) part.first |= part.first << REPEATED;
}

function charactersOf(token: string): bigint {
  if (token === '$') return 0n;
  const one = new RegExp(token, 'u');
  return ASCII.reduce(
    (bits, character, at) => (one.test(character) ? bits | (1n << BigInt(at)) : bits),
    WIDE.test(token) ? OTHERS : 0n,
  );
}

const startOf = (branch: readonly Part[]): Pick<Part, 'first' | 'isOptional'> =>
  branch.reduceRight<Pick<Part, 'first' | 'isOptional'>>(
    (after, part) => (part.isOptional ? { ...after, first: part.first | after.first } : part),
    { first: 0n, isOptional: true },
  );

/** `next`: what may follow; null if nothing has to, so that the first match is the last. */
function ofBranch(branch: readonly Part[], next: bigint | null): Work {
  let after = next;
  return branch.reduceRight(
    (rest, part) => {
      const { ways, steps, each } = ofPart(part, after);
      if (!part.isOptional) after = part.first;
      else if (after !== null || part.max === 0) after = (after ?? 0n) | part.first;
      return { ways: ways * rest.ways, steps: steps + ways * rest.steps, each: each + rest.each };
    },
    { ways: 1, steps: CHARACTER, each: 0 },
  );
}

function ofPart({ first, branches, min, max: most }: Part, next: bigint | null): Work {
  // Of a character that is last, no repetition is taken back.
  const max = next === null && branches === null ? min : most;
  const after = next ?? 0n;
  if (most === 0) {
    const { steps } = ofGroup(branches ?? [[]], 0n);
    return { ways: 1, steps, each: steps };
  }
  const one =
    branches === null
      ? { ways: 1, steps: CHARACTER, each: CHARACTER }
      : ofGroup(branches, max > 1 ? first | after : next);
  if (max === 1 && min === 1) return one;
  const isOpen = max > min && (first & after) !== 0n;
  const isEndless =
    max === Infinity && (one.ways > 1 || (branches === null && ((first << REPEATED) & after) !== 0n));
  const each = isEndless ? Infinity : 1 + one.each;
  if (max < Infinity)
    return {
      ways: one.ways ** max * (isOpen ? max - min + 1 : 1),
      steps: max * one.ways ** max * (1 + one.steps),
      each: max * each,
    };
  return { ways: isOpen ? MAX_MATCHED : 1, steps: MAX_MATCHED * each, each };
}

function ofGroup(branches: readonly (readonly Part[])[], next: bigint | null): Work {
  let seen = 0n;
  let isOpen = false;
  const works = branches.map((branch) => {
    const { first, isOptional } = startOf(branch);
    const starts = isOptional ? first | (next ?? 0n) | NOTHING : first;
    isOpen ||= (seen & starts) !== 0n;
    seen |= starts;
    return ofBranch(branch, next);
  });
  const all = (of: (work: Work) => number): number =>
    isOpen ? sum(works.map(of)) : Math.max(...works.map(of));
  const choice = works.length > 1 ? 1 + works.length * CHARACTER : 0;
  return {
    ways: all(({ ways }) => ways),
    steps: choice + all(({ steps }) => steps),
    each: choice + all(({ each }) => each),
  };
}
