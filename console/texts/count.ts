/** For a language whose words have two forms: `1 message`, `2 messages`. A language with more has its own. */
export function counter(language: string) {
  const format = new Intl.NumberFormat(language);
  return (count: number, one: string, other: string): string =>
    `${format.format(count)} ${count === 1 ? one : other}`;
}
