import { Tokenizer } from 'liquidjs';

type RawParameters = Parameters<Tokenizer['readEndrawOrRawContent']>;

/** A tokenizer that also finds the end of a `raw` if it has dashes: `{%- endraw -%}`. */
export class TemplateTokenizer extends Tokenizer {
  override readEndrawOrRawContent(
    ...[options]: RawParameters
  ): ReturnType<Tokenizer['readEndrawOrRawContent']> {
    const end = /\{%-?\s*endraw/.exec(this.input.slice(this.p))?.[0];
    // This fails with the message that there is none.
    if (end === undefined) return super.readEndrawOrRawContent(options);
    if (!this.match(end)) return this.readHTMLToken([end]);
    Reflect.set(this, 'rawBeginAt', -1);
    return this.readTagToken(options);
  }
}
