import { LiquidError, Output, ParseError, ParseStream, TypeGuards } from 'liquidjs';
import type { Liquid, Parser, Template, TopLevelToken } from 'liquidjs';

/** The parts of a `Parser` that tags use. Its class would bring along code that reads, caches and finds files. */
export function createParser(liquid: Liquid): Parser {
  const parts = {
    parseStream: (tokens: TopLevelToken[]) => new ParseStream(tokens, parts.parseToken),
    parseToken(this: void, token: TopLevelToken, rest: TopLevelToken[]): Template {
      try {
        return nodeOf(token, rest);
      } catch (error) {
        throw error instanceof Error && !LiquidError.is(error) ? new ParseError(error, token) : error;
      }
    },
    /** Takes all tokens: a tag takes those of its block. */
    parseTokens(tokens: TopLevelToken[]): Template[] {
      const nodes: Template[] = [];
      for (let token = tokens.shift(); token !== undefined; token = tokens.shift())
        nodes.push(parts.parseToken(token, tokens));
      return nodes;
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tags use no other parts
  const parser = parts as Parser;
  function nodeOf(token: TopLevelToken, rest: TopLevelToken[]): Template {
    if (!TypeGuards.isTagToken(token))
      return TypeGuards.isOutputToken(token) ? new Output(token, liquid) : plainText(token);
    const Tag = liquid.tags[token.name];
    if (Tag === undefined) throw new Error(`tag "${token.name}" not found`);
    return new Tag(token, rest, liquid, parser);
  }
  return parser;
}

/** A node of text between tags. */
function plainText(token: TopLevelToken): Template {
  const text = TypeGuards.isHTMLToken(token) ? token.getContent() : token.getText();
  return { token, render: (_, emitter) => emitter.write(text) };
}
