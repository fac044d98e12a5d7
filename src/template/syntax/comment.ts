import { Tag, TypeGuards } from 'liquidjs';

/** A comment. Unlike that of liquidjs, it may contain comments, so that a part that has some can be commented out. */
export class CommentTag extends Tag {
  constructor(...[tag, rest, liquid]: ConstructorParameters<typeof Tag>) {
    super(tag, rest, liquid);
    for (let depth = 1; depth > 0;) {
      const token = rest.shift();
      if (token === undefined) throw new Error('the comment is never closed');
      if (!TypeGuards.isTagToken(token)) continue;
      if (token.name === 'comment') depth += 1;
      else if (token.name === 'endcomment') depth -= 1;
    }
  }

  render(): void {}
}
