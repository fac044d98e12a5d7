import { patternOf } from '../src/template/filters/phone-tree.ts';
import { both, DIGITS, NOTHING, readPattern, type State } from './digit-patterns.ts';

/**
 * Which numbers of a numbering plan are valid, as trees of digits that `phone-tree.ts` reads: as short as the numbers
 * that are never asked for allow it.
 *
 * A tree tells by the first digits of a number which lengths are valid; a group is a tree for some of the lengths. An
 * answer has a character for each of these: valid, invalid, or whatever.
 */
type Tree = string | readonly Tree[];

const VALID = 'v';
const INVALID = 'i';
const WHATEVER = '*';

interface Group {
  readonly lengths: readonly number[];
  readonly root: Tree;
  /** The answers of the leaves but for those that are the same for all lengths. */
  readonly answers: readonly string[];
}

/**
 * The groups of lengths, and the tree of each: texts of `phone-tree.ts`. `asked` are the numbers of these lengths for which the
 * answer matters, and `valid` the valid ones of them.
 */
export function writeTrees(
  valid: State,
  asked: State,
  lengths: readonly number[],
): readonly [groups: readonly string[], trees: readonly string[]] {
  let groups = lengths
    .map((length) => groupOf(valid, asked, [length]))
    .filter(({ root }) => root !== INVALID && root !== WHATEVER);
  for (let better = bestUnion(valid, asked, groups); better; better = bestUnion(valid, asked, groups))
    groups = better;
  const ordered = groups.toSorted((a, b) => (a.lengths[0] ?? 0) - (b.lengths[0] ?? 0));
  const written = [ordered.map(writeLengths), ordered.map(writeTree)] as const;
  if (both(readPattern(patternOf(...written).replaceAll('.', 'd')), asked) !== valid)
    throw new Error(`other numbers are valid: ${JSON.stringify(written)}`);
  return written;
}

/** The groups with those two made one that saves most; undefined if none does. */
function bestUnion(valid: State, asked: State, groups: readonly Group[]): Group[] | undefined {
  const unions = groups.flatMap((one, place) =>
    groups.slice(place + 1).map((other) => {
      const lengths = [...one.lengths, ...other.lengths].toSorted((a, b) => a - b);
      const union = groupOf(valid, asked, lengths);
      const others = groups.filter((group) => group !== one && group !== other);
      return { groups: [...others, union], saved: costOf(one) + costOf(other) - costOf(union) };
    }),
  );
  const [best] = unions.toSorted((a, b) => b.saved - a.saved);
  return best !== undefined && best.saved > 0 ? best.groups : undefined;
}

/** About the bits that a group has when it is compressed. */
const costOf = ({ root, answers }: Group): number =>
  6 + sizeOf(root) * 9.5 * (1 + answers.length / 20) + answers.length * 25;

function groupOf(valid: State, asked: State, lengths: readonly number[]): Group {
  const root = treeOf(
    lengths.map((length) => {
      const ofLength = both(asked, readPattern(`d{${length}}`));
      return { valid: both(valid, ofLength), asked: ofLength };
    }),
  );
  return { lengths, root, answers: answersOf(root) };
}

interface Question {
  readonly valid: State;
  readonly asked: State;
}

function treeOf(questions: readonly Question[]): Tree {
  const answers = questions.map(answerTo);
  if (answers.every((answer) => answer !== undefined)) return answers.join('');
  const below = DIGITS.map((digit) =>
    treeOf(
      questions.map(({ valid, asked }) => ({
        valid: valid.next[digit] ?? NOTHING,
        asked: asked.next[digit] ?? NOTHING,
      })),
    ),
  );
  return shared(below);
}

function answerTo({ valid, asked }: Question): string | undefined {
  if (asked === NOTHING) return WHATEVER;
  if (valid === NOTHING) return INVALID;
  return valid === asked ? VALID : undefined;
}

/** Trees that can be one are the same object afterwards, if that is shorter. */
function shared(below: readonly Tree[]): readonly Tree[] {
  const made: Tree[] = [];
  const places = below.map((tree) => {
    if (typeof tree === 'string') return tree;
    for (const [place, other] of [...made.entries()].toReversed()) {
      const union = unionOf(other, tree);
      if (union === undefined || sizeOf(union) >= sizeOf(other) + sizeOf(tree)) continue;
      made[place] = union;
      return place;
    }
    return made.push(tree) - 1;
  });
  return places.map((place) => (typeof place === 'string' ? place : (made[place] ?? WHATEVER)));
}

/** A tree that has the answers of both; undefined if they contradict each other. */
function unionOf(a: Tree, b: Tree): Tree | undefined {
  if (typeof a === 'string' && typeof b === 'string') return unionOfAnswers(a, b);
  if (typeof a === 'string') return isAll(a, WHATEVER) ? b : undefined;
  if (typeof b === 'string') return isAll(b, WHATEVER) ? a : undefined;
  const below = DIGITS.map((digit) => unionOf(a[digit] ?? WHATEVER, b[digit] ?? WHATEVER));
  if (!below.every((tree) => tree !== undefined)) return undefined;
  const known = new Map<string, Tree>();
  return below.map((tree) => {
    const key = JSON.stringify(tree);
    const same = known.get(key) ?? tree;
    known.set(key, same);
    return same;
  });
}

function unionOfAnswers(a: string, b: string): string | undefined {
  const made = a.split('').map((answer, place) => {
    const other = b.charAt(place);
    if (answer === WHATEVER) return other;
    return other === WHATEVER || other === answer ? answer : undefined;
  });
  return made.every((answer) => answer !== undefined) ? made.join('') : undefined;
}

/** How many nodes are written for it. */
const sizeOf = (tree: Tree): number =>
  typeof tree === 'string' ? 0 : [...new Set(tree)].reduce((sum, one) => sum + sizeOf(one), 1);

const isAll = (answer: string, one: string): boolean =>
  answer.split('').every((each) => each === WHATEVER || each === one);

/** As few as have all answers of the leaves, the most frequent first. */
function answersOf(root: Tree): readonly string[] {
  const counts = new Map<string, number>();
  const count = (tree: Tree): void => {
    if (typeof tree !== 'string') for (const one of new Set(tree)) count(one);
    else if (!isAll(tree, VALID) && !isAll(tree, INVALID))
      counts.set(tree, (counts.get(tree) ?? 0) + tree.replaceAll(WHATEVER, '').length);
  };
  count(root);
  const made: string[] = [];
  for (const [answer] of [...counts].toSorted(([, a], [, b]) => b - a)) {
    const place = made.findIndex((one) => unionOfAnswers(one, answer) !== undefined);
    if (place < 0) made.push(answer);
    else made[place] = unionOfAnswers(made[place] ?? '', answer) ?? answer;
  }
  return made;
}

const letterOf = (length: number): string => length.toString(36);

/** The lengths of a group, and those that each of its answers says to be valid. */
const writeLengths = ({ lengths, answers }: Group): string =>
  ['', ...answers]
    .map((answer) =>
      lengths
        .filter((_, place) => answer === '' || answer[place] === VALID)
        .map(letterOf)
        .join(''),
    )
    .join(',');

/** By level, so that what is similar is near. */
function writeTree({ root, answers }: Group): string {
  const queue = [typeof root === 'string' ? DIGITS.map(() => root) : root];
  let text = '';
  for (const node of queue) {
    const met: (readonly Tree[])[] = [];
    let before = '.';
    for (const tree of node) {
      if (typeof tree === 'string') {
        const fitting = lettersOf(tree, answers);
        if (!fitting.includes(before)) before = fitting.charAt(0);
      } else if (met.includes(tree)) before = String(met.length - 1 - met.indexOf(tree));
      else {
        met.push(tree);
        before = 'b';
      }
      text += before;
    }
    queue.push(...met);
  }
  return text;
}

/** The letters of the answers that have all of this one. */
function lettersOf(leaf: string, answers: readonly string[]): string {
  const letters = answers
    .map((answer, place) => (unionOfAnswers(answer, leaf) === answer ? String.fromCharCode(66 + place) : ''))
    .join('');
  return `${isAll(leaf, INVALID) ? '.' : ''}${isAll(leaf, VALID) ? 'A' : ''}${letters}`;
}
