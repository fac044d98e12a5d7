/** The same answer for the same name, worked out when it is asked for first. */
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
