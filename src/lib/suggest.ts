/** Longer words are not typed by hand. The cost of comparing two words is the product of their lengths. */
const MAX_LENGTH = 64;

/** The candidate that a person meant, with one typing error for every three characters at most; null if none is close. */
export function suggest(word: string, candidates: readonly string[]): string | null {
  if (word.length > MAX_LENGTH) return null;
  const near = candidates.flatMap((candidate) => {
    const slips = slipsAllowed(word, candidate);
    if (candidate.length > MAX_LENGTH || Math.abs(candidate.length - word.length) > slips) return [];
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    return distance <= slips ? [{ candidate, distance }] : [];
  });
  return near.toSorted((a, b) => a.distance - b.distance)[0]?.candidate ?? null;
}

/** At least one letter must be right. Otherwise `x` would be close to any other letter. */
function slipsAllowed(word: string, candidate: string): number {
  const longer = Math.max(word.length, candidate.length);
  const shorter = Math.min(word.length, candidate.length);
  return Math.min(shorter - 1, Math.max(1, Math.floor(longer / 3)));
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        replaced,
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        swapped ? (beforeLast[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
