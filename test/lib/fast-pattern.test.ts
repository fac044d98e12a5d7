import { checkSync } from 'recheck';
import { expect, it } from 'vitest';
import { isFast } from '../../src/lib/fast-pattern.ts';

const patterns = (text: string): readonly string[] => text.trim().split(/\s{2,}/);

const ORDINARY = patterns(String.raw`
  ^\+?[0-9]{6,15}$  ^[\w.-]+$  ^[a-z0-9]+(-[a-z0-9]+)*$  ^-?\d+$  "status":"(ok|sent)"  not registered|blocked  ^$  ok  ^.+$  a+$
  "id":\s*"[^"]+"  error.*timeout  ^.*error.*$  .*ok.*  .*=(.*)  \bsent\b  ^\S+$  (?:quota|rate|limit).*exceeded  ^\s*OK\s*$
  error.*(timeout|refused|reset)  ^[^@\s]+@[^@\s]+\.[^@\s]+$  ^(?:[a-z]+\.)+[a-z]{2,}$  ^https://[a-z.]+/hook/.*$  ^(ok|okay|sent)$
  ^\d{1,3}(\.\d{1,3}){3}$  ^[A-F0-9]{8}(-[A-F0-9]{4}){3}-[A-F0-9]{12}$  ^"(?:[^"\\]|\\.)*"$  ^\p{L}[\p{L}\p{N} .-]*$
  ^(?![0-9]+$)[-_A-Za-z0-9]{1,64}$  ^(?<id>\d+):(?<n>[a-z]+)$  ^(?:-?[1-9][0-9]{3,15}|@[A-Za-z][A-Za-z0-9_]{4,31})$`);

const SLOW = patterns(String.raw`
  ^(a+)+$  ^([a-z0-9]+[-_.]?)+$  ^(?:[a-z]+ ?)+$  (a|a)*  ^(a|aa)+$  ^(a|a?)+$  (.*)*x  ^([^,]*,?)*$  (foo|foot)*!  (\d|[0-9])*x
  ^(\p{Ll}|\p{L})+$  ^(é|.)*$  ^\d*\d*x  .*.*=.*  ^[\w.]+[\w-]+@  .*a.*b.*c$  ^[^a]*[^b]*c  (a*)*  (.*a){20}  ^(a?){30}a{30}$
  a{0,4000}a{0,4000}b  (a{0,30}){0,30}b  ^((a|b)*a){3}(a|b)*$  \b(\w+\b)*x  (?=(a+)+$)b  ^((a+ab)+a){2,}$x  ^x((a+)+b)?  (?:(?=.*)a)*b  ^(\w+)\1$  (?<w>a)\k<w>  (?<=a+)b
  (?<!a)b  (?i:a)  ^(\u0061|a)*b  ${'a?'.repeat(25)}${'a'.repeat(25)}$  ${'(|)'.repeat(25)}$x`);

it('a pattern of a document is fast on every text, at worst as the square of its length, or is refused; ordinary ones are not', () => {
  expect(ORDINARY.filter((pattern) => !isFast(pattern))).toEqual([]);
  expect(SLOW.filter(isFast)).toEqual([]);
  const worse = ORDINARY.filter((pattern) => {
    const found = checkSync(pattern, 'u', { checker: 'automaton', timeout: 600_000 });
    // recheck does not judge what looks ahead.
    if (found.status !== 'vulnerable') return found.status !== 'safe' && !pattern.includes('(?!');
    return found.complexity.type === 'exponential' || found.complexity.degree > 2;
  });
  expect(worse).toEqual([]);
});
