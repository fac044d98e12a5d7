import { StreamLanguage, type StreamParser } from '@codemirror/language';

/** The place in a Liquid text at which the colouring is. */
interface StreamState {
  /** `text`: words that are sent unchanged. */
  in: 'text' | 'output' | 'tag' | 'comment' | 'raw';
  /** The kind of the next word. */
  next: 'tag' | 'filter' | 'value';
  /** The kind of text that follows the tag. */
  after: 'text' | 'comment' | 'raw';
}

const KEYWORDS = /^(?:and|or|not|contains|in|with|reversed|true|false|nil|null|blank|empty)$/;

/** Colours of Liquid, by hand: the grammar that there is for CodeMirror brings those of HTML, CSS and JavaScript. */
const liquidParser: StreamParser<StreamState> = {
  name: 'liquid',
  startState: () => ({ in: 'text', next: 'value', after: 'text' }),
  copyState: (place) => ({ ...place }),
  token(stream, place) {
    if (place.in === 'comment' || place.in === 'raw') {
      const isComment = place.in === 'comment';
      const end = isComment ? /^\{%-?\s*endcomment\b/ : /^\{%-?\s*endraw\b/;
      if (stream.match(end, false)) place.in = 'text';
      else {
        stream.next();
        while (!stream.eol() && !stream.match('{%', false)) stream.next();
        return isComment ? 'comment' : null;
      }
    }
    if (place.in === 'text') {
      if (stream.match(/^\{\{-?/)) {
        Object.assign(place, { in: 'output', next: 'value' });
        return 'meta';
      }
      if (stream.match(/^\{%-?/)) {
        Object.assign(place, { in: 'tag', next: 'tag' });
        return 'meta';
      }
      stream.next();
      while (!stream.eol() && !stream.match(/^\{[{%]/, false)) stream.next();
      return null;
    }
    return inside(stream, place);
  },
};

function inside(stream: Parameters<typeof liquidParser.token>[0], place: StreamState): string | null {
  if (stream.eatSpace()) return null;
  const end = stream.match(/^-?[%}]\}/);
  if (end !== null) {
    Object.assign(place, { in: place.after, next: 'value', after: 'text' });
    return 'meta';
  }
  if (stream.match(/^(?:"[^"]*"?|'[^']*'?)/)) return 'string';
  if (stream.match(/^-?\d+(?:\.\d+)?/)) return 'number';
  if (stream.match('|')) {
    place.next = 'filter';
    return 'operator';
  }
  const word = stream.match(/^[\p{L}_][\p{L}\p{N}_-]*/u);
  if (word === null || typeof word === 'boolean') {
    stream.next();
    return 'operator';
  }
  return wordToken(word[0], place);
}

function wordToken(word: string, place: StreamState): string {
  const { next } = place;
  place.next = 'value';
  if (next === 'tag') {
    if (word === 'comment' || word === 'raw') place.after = word;
    return 'keyword';
  }
  if (next === 'filter') return 'variableName.function';
  return KEYWORDS.test(word) ? 'keyword' : 'variableName';
}

export const liquidLanguage = StreamLanguage.define(liquidParser);
