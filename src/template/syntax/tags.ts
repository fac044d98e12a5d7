import { STRING, WORD, filteredCondition, filteredValue, operand } from './grammar.ts';
import type { Scanner, Uses } from '../basics/scanner.ts';

/** The names that a tag's arguments use, and the names that the tag defines. */
export interface TagUses extends Uses {
  readonly declared: Set<string>;
}

type Rule = (scanner: Scanner, uses: TagUses) => void;

/** Names a partial. It is no tag of the engine: see `partials.ts`. */
export const RENDER = 'render';

/** The arguments of every tag that does not end a block. */
export const TAG_RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['if', filteredCondition],
  ['elsif', filteredCondition],
  ['unless', filteredCondition],
  ['case', filteredValue],
  ['when', whenValues],
  ['else', noArguments],
  ['for', loop],
  ['break', noArguments],
  ['continue', noArguments],
  ['assign', assignment],
  ['capture', captureName],
  ['increment', counterName],
  ['decrement', counterName],
  ['echo', filteredCondition],
  ['cycle', cycleValues],
  ['raw', noArguments],
  ['comment', anything],
  ['#', anything],
  ['liquid', anything],
]);

/** Tags that need an end, with the tags that may divide their content. */
export const BLOCKS: ReadonlyMap<string, readonly string[]> = new Map([
  ['if', ['elsif', 'else']],
  ['unless', ['elsif', 'else']],
  ['case', ['when', 'else']],
  ['for', ['else']],
  ['capture', []],
  ['comment', []],
  ['raw', []],
]);

/** Nothing may follow the tag's name. */
export function noArguments(scanner: Scanner): void {
  const at = scanner.pos;
  if (scanner.next(WORD) === 'if')
    return scanner.fail('unexpected `if`: write `elsif` for another branch', at);
  scanner.pos = at;
  scanner.expectEnd('nothing after the tag');
}

function anything(): void {}

function declare(scanner: Scanner, uses: TagUses): void {
  const name = scanner.next(WORD);
  if (name === undefined) return scanner.fail(`expected a name, found ${scanner.snippet()}`);
  uses.declared.add(name);
}

function assignment(scanner: Scanner, uses: TagUses): void {
  declare(scanner, uses);
  if (!scanner.next(/=(?!=)/y)) return scanner.fail(`unexpected ${scanner.snippet()}: expected \`=\``);
  filteredCondition(scanner, uses);
}

function captureName(scanner: Scanner, uses: TagUses): void {
  const quoted = scanner.next(STRING);
  if (quoted === undefined) declare(scanner, uses);
  else uses.declared.add(quoted.slice(1, -1));
  scanner.expectEnd('nothing after the name');
}

function counterName(scanner: Scanner, uses: TagUses): void {
  declare(scanner, uses);
  scanner.expectEnd('nothing after the name');
}

function whenValues(scanner: Scanner, uses: TagUses): void {
  do operand(scanner, uses);
  while (scanner.next(/,|or(?![\p{L}\p{M}\p{Nd}_?-])/uy));
  scanner.expectEnd('`,`, `or` or the end');
}

function cycleValues(scanner: Scanner, uses: TagUses): void {
  operand(scanner, uses);
  if (scanner.next(/:/y)) operand(scanner, uses);
  while (scanner.next(/,/y)) operand(scanner, uses);
  scanner.expectEnd('`,` or the end');
}

const LOOP_OPTIONS = ['limit', 'offset', 'reversed'];

function loop(scanner: Scanner, uses: TagUses): void {
  declare(scanner, uses);
  uses.declared.add('forloop');
  if (scanner.next(WORD) !== 'in') return scanner.fail('expected `in`: `for name in list`');
  operand(scanner, uses);
  for (let option = loopOption(scanner); option !== undefined; option = loopOption(scanner)) {
    if (!LOOP_OPTIONS.includes(option))
      return scanner.fail(`unexpected \`${option}\`: expected ${LOOP_OPTIONS.join(', ')}`);
    if (option === 'reversed') continue;
    if (!scanner.next(/:/y)) return scanner.fail(`expected \`:\` after ${option}`);
    // `continue` is a value only here: the place where the last loop over the same list stopped.
    if (option === 'offset' && scanner.next(/continue(?![\p{L}\p{M}\p{Nd}_?-])/uy)) continue;
    operand(scanner, uses);
  }
  scanner.expectEnd(`${LOOP_OPTIONS.join(', ')} or the end`);
}

function loopOption(scanner: Scanner): string | undefined {
  scanner.next(/,/y);
  return scanner.next(WORD);
}
