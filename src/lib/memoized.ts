/** Calls `make` once for each name, at its first use, and then returns the same answer. */
export function memoized<Answer>(make: (name: string) => Answer): (name: string) => Answer {
  const made = new Map<string, Answer>();
  return (name) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const answer = make(name);
    made.set(name, answer);
    return answer;
  };
}
