/** The lengths that a text names: a letter for each, in base 36. */
export const lengthsIn = (text: string): readonly number[] =>
  Array.from(text, (letter) => Number.parseInt(letter, 36));

/**
 * A regular expression for the valid numbers of a country, from what `scripts/number-trees.ts` writes.
 *
 * `groups` are lengths of numbers (`89,9/a`): those of each group, and after commas parts of them. `trees` has a tree for each,
 * level by level, ten characters a node, one for each next digit: `.` no number is valid, `A` those of all the group's lengths,
 * `B`, `C`, … of one of the parts, `b` it is for the next node of the level below, `0`, `1`, … the last such node
 * of these ten, that before it, ….
 */
export function patternOf(groups: readonly string[], trees: readonly string[]): string {
  return groups
    .map((group, place) => patternOfTree(group.split(',').map(lengthsIn), trees[place] ?? ''))
    .join('|');
}

/** The groups of a country: none, if nothing is written. */
export const groupsIn = (text: string): readonly string[] => text.match(/[^/]+/g) ?? [];

function patternOfTree(lengths: readonly (readonly number[])[], tree: string): string {
  const nodes: Node[] = [{ depth: 0, ways: new Map() }];
  // Iteration over a list includes elements that are added meanwhile.
  for (const [at, { depth, ways }] of nodes.entries()) {
    const own: Node[] = [];
    for (const [digit, letter] of tree
      .slice(at * 10, at * 10 + 10)
      .split('')
      .entries()) {
      if (letter === '.') continue;
      if (letter === 'b') {
        const node = { depth: depth + 1, ways: new Map() };
        nodes.push(node);
        own.unshift(node);
      }
      const way = letter === 'b' ? own[0] : (own[Number(letter)] ?? letter);
      if (way !== undefined) ways.set(way, `${ways.get(way) ?? ''}${digit}`);
    }
  }
  const [root] = nodes;
  return root === undefined ? '' : written(root, lengths);
}

interface Node {
  readonly depth: number;
  /** Digits, by what comes after them: a node, or the letter of lengths. */
  readonly ways: Map<Node | string, string>;
}

function written({ depth, ways }: Node, lengths: readonly (readonly number[])[]): string {
  const choices = [...ways].flatMap(([way, digits]) => {
    const rest =
      typeof way === 'string'
        ? restOf(lengths[way.charCodeAt(0) - 65] ?? [], depth + 1)
        : written(way, lengths);
    return rest === '' ? [] : [`[${digits}](${rest})`];
  });
  return choices.join('|');
}

/** Any digits, so that there is one of the lengths after the first ones. */
const restOf = (lengths: readonly number[], first: number): string =>
  lengths.flatMap((length) => (length < first ? [] : [`.{${length - first}}`])).join('|');
