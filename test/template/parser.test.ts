import { Parser, Tokenizer } from 'liquidjs';
import type { Template } from 'liquidjs';
import { describe, expect, it } from 'vitest';
import { liquid } from '../../src/template/engine.ts';
import { createParser } from '../../src/template/parser.ts';

type Parse = (tokens: Parameters<Parser['parseTokens']>[0]) => readonly Template[];
const tokensOf = (source: string) =>
  new Tokenizer(source, liquid.options.operators, undefined, undefined, true).readTopLevelTokens(
    liquid.options,
  );
const own: Parse = (tokens) => createParser(liquid).parseTokens(tokens);
const theirs: Parse = (tokens) => new Parser(liquid).parseTokens(tokens);

const messageOf = (parse: Parse, source: string): string => {
  try {
    parse(tokensOf(source));
    return '';
  } catch (error) {
    return String(error);
  }
};

describe('the parser of templates', () => {
  it('gives each tag the tokens of its block, as liquidjs does', () => {
    const source =
      'a {% if x %}b{% for y in z %}{{ y }}{% else %}c{% endfor %}{% endif %}{% case x %}{% when 1 %}d{% endcase %} e';
    const placesOf = (parse: Parse) => parse(tokensOf(source)).map(({ token }) => [token.begin, token.end]);
    expect(placesOf(own)).toEqual(placesOf(theirs));
    expect(placesOf(own)).toHaveLength(4);
  });

  it.each(['{% if x %}a', 'a\n{% for x in %}{% endfor %}', '{% nothing %}', '{{ x | nothing }}'])(
    'says what is wrong with %j as liquidjs does',
    (source) => {
      expect(messageOf(own, source)).toBe(messageOf(theirs, source));
      expect(messageOf(own, source)).not.toBe('');
    },
  );
});
