import { LiquidError, Output, ParseError, ParseStream, TypeGuards } from 'liquidjs';
import type { Context, Emitter, Liquid, Parser, Template, TopLevelToken } from 'liquidjs';

/** The parts of a `Parser` that tags use. Its own class would add code that reads, caches and finds files. */
class TagParser {
  readonly #liquid: Liquid;

  constructor(liquid: Liquid) {
    this.#liquid = liquid;
  }

  parseStream(tokens: TopLevelToken[]): ParseStream {
    return new ParseStream(tokens, (token, rest) => this.parseToken(token, rest));
  }

  parseToken(token: TopLevelToken, rest: TopLevelToken[]): Template {
    try {
      return this.#nodeOf(token, rest);
    } catch (error) {
      throw error instanceof Error && !LiquidError.is(error) ? new ParseError(error, token) : error;
    }
  }

  /** Takes all tokens: a tag takes those of its block. */
  parseTokens(tokens: TopLevelToken[]): Template[] {
    const nodes: Template[] = [];
    for (let token = tokens.shift(); token !== undefined; token = tokens.shift())
      nodes.push(this.parseToken(token, tokens));
    return nodes;
  }

  #nodeOf(token: TopLevelToken, rest: TopLevelToken[]): Template {
    if (!TypeGuards.isTagToken(token))
      return TypeGuards.isOutputToken(token) ? new Output(token, this.#liquid) : new PlainText(token);
    const Tag = this.#liquid.tags[token.name];
    if (Tag === undefined) throw new Error(`tag "${token.name}" not found`);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tags use no other parts
    return new Tag(token, rest, this.#liquid, this as unknown as Parser);
  }
}

export const createParser = (liquid: Liquid): TagParser => new TagParser(liquid);

/** A node of text between tags. */
class PlainText implements Template {
  readonly token: TopLevelToken;
  readonly #text: string;

  constructor(token: TopLevelToken) {
    this.token = token;
    this.#text = TypeGuards.isHTMLToken(token) ? token.getContent() : token.getText();
  }

  render(_: Context, emitter: Emitter): void {
    emitter.write(this.#text);
  }
}
