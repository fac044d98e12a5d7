import { Tokenizer, TypeGuards } from 'liquidjs';
import type { Liquid, TopLevelToken } from 'liquidjs';
import { filteredCondition } from './grammar.ts';
import { MAX_BLOCK_DEPTH } from '../basics/limits.ts';
import { hint } from '../basics/print.ts';
import { Scanner } from '../basics/scanner.ts';
import type { SyntaxProblem } from '../basics/scanner.ts';
import { BLOCKS, RENDER, TAG_RULES, noArguments } from './tags.ts';
import type { TagUses } from './tags.ts';

/** The result of checking a source. */
interface CheckedSource extends TagUses {
  /** The inner texts of its outputs. */
  readonly expressions: string[];
}

interface Block {
  readonly name: string;
  readonly at: number;
  hasElse: boolean;
}

/** A tag in either of its forms: between `{%` and `%}`, or a line of a `liquid` tag. */
interface TagLike {
  readonly name: string;
  readonly input: string;
  readonly begin: number;
  readonly contentRange: [number, number];
  readonly tokenizer: { readonly p: number };
}

/** Checks the tokens of a source: its expressions, its tags and their nesting. The first problem ends the check. */
export function checkTokens(tokens: readonly TopLevelToken[], liquid: Liquid): CheckedSource | SyntaxProblem {
  const findings: CheckedSource = { expressions: [], roots: [], filters: [], declared: new Set() };
  const blocks: Block[] = [];
  for (const token of tokens) {
    let problem: SyntaxProblem | undefined;
    if (TypeGuards.isTagToken(token)) problem = checkTag(token, blocks, { findings, liquid });
    else if (TypeGuards.isOutputToken(token) && blocks.at(-1)?.name !== 'comment') {
      const [begin, end] = token.contentRange;
      findings.expressions.push(token.input.slice(begin, end));
      problem = check(filteredCondition, new Scanner(token.input, begin, end), findings);
    }
    if (problem) return problem;
  }
  return unclosed(blocks) ?? findings;
}

function check(
  rule: (scanner: Scanner, uses: TagUses) => void,
  scanner: Scanner,
  uses: TagUses,
): SyntaxProblem | undefined {
  rule(scanner, uses);
  return scanner.problem;
}

function unclosed(blocks: readonly Block[]): SyntaxProblem | undefined {
  const open = blocks.at(-1);
  return (
    open && { at: open.at, message: `{% ${open.name} %} is never closed: expected {% end${open.name} %}` }
  );
}

interface CheckContext {
  readonly findings: CheckedSource;
  readonly liquid: Liquid;
}

function checkTag(
  tag: TagLike,
  blocks: Block[],
  { findings, liquid }: CheckContext,
): SyntaxProblem | undefined {
  const open = blocks.at(-1);
  if (open?.name === 'comment' && tag.name !== 'endcomment') {
    if (tag.name === 'comment') blocks.push({ name: tag.name, at: tag.begin, hasElse: false });
    return undefined;
  }
  const scanner = scannerOf(tag);
  const problem = tag.name.startsWith('end') ? closeBlock(tag, blocks) : placeTag(tag, blocks);
  if (problem) return problem;
  const argumentProblem = check(TAG_RULES.get(tag.name) ?? noArguments, scanner, findings);
  return argumentProblem ?? (tag.name === 'liquid' ? checkLines(tag, { findings, liquid }) : undefined);
}

function scannerOf(tag: TagLike): Scanner {
  const [, end] = tag.contentRange;
  return new Scanner(tag.input, tag.tokenizer.p, end);
}

function closeBlock(tag: TagLike, blocks: Block[]): SyntaxProblem | undefined {
  const open = blocks.pop();
  if (open && tag.name === `end${open.name}`) return undefined;
  const expected = open ? `expected {% end${open.name} %}` : 'no block is open';
  return { at: tag.begin, message: `unexpected {% ${tag.name} %}: ${expected}` };
}

function placeTag(tag: TagLike, blocks: Block[]): SyntaxProblem | undefined {
  const at = tag.begin;
  const open = blocks.at(-1);
  if (tag.name === RENDER)
    return { at, message: 'a partial goes into the text of a message, as {% render %}, and nowhere else' };
  if (!TAG_RULES.has(tag.name)) {
    return { at, message: `unknown tag {% ${tag.name} %}${hint(tag.name, TAG_RULES.keys())}` };
  }
  if (['elsif', 'when', 'else'].includes(tag.name)) return placeBranch(tag, open);
  if (['break', 'continue'].includes(tag.name) && !blocks.some(({ name }) => name === 'for')) {
    return { at, message: `{% ${tag.name} %} is outside of a loop` };
  }
  if (!BLOCKS.has(tag.name)) return undefined;
  blocks.push({ name: tag.name, at, hasElse: false });
  return blocks.length > MAX_BLOCK_DEPTH
    ? { at, message: `blocks nested more than ${MAX_BLOCK_DEPTH} deep` }
    : undefined;
}

function placeBranch(tag: TagLike, open: Block | undefined): SyntaxProblem | undefined {
  if (!open || !BLOCKS.get(open.name)?.includes(tag.name)) {
    const place = open ? `in {% ${open.name} %}` : 'outside of a block';
    return { at: tag.begin, message: `unexpected {% ${tag.name} %} ${place}` };
  }
  if (open.hasElse) return { at: tag.begin, message: `unexpected {% ${tag.name} %} after {% else %}` };
  open.hasElse = tag.name === 'else';
  return undefined;
}

/** Checks a `liquid` tag, which has one tag per line, with its own blocks. */
function checkLines(tag: TagLike, surroundings: CheckContext): SyntaxProblem | undefined {
  const { text, pos } = scannerOf(tag);
  const { options } = surroundings.liquid;
  const lines = new Tokenizer(text, options.operators, undefined, [pos, text.length], true);
  const blocks: Block[] = [];
  for (const line of lines.readLiquidTagTokens(options)) {
    // Lines of a `raw` or `liquid` inside would be parsed again, by other rules.
    const misplaced = line.name === 'raw' || line.name === 'liquid';
    const message = `{% ${line.name} %} is not allowed in a {% liquid %} tag`;
    const problem = misplaced ? { at: line.begin, message } : checkTag(line, blocks, surroundings);
    if (problem) return problem;
  }
  return unclosed(blocks);
}
