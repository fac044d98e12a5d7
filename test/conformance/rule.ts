import { expect, it } from 'vitest';

/**
 * One rule for many subjects, such as every sample of every provider; a subject begins with its name. It is one test, which
 * names each subject that breaks the rule.
 */
export function rule<Rest extends readonly unknown[]>(
  name: string,
  subjects: readonly (readonly [string, ...Rest])[],
  check: (subject: string, ...rest: NoInfer<Rest>) => void | Promise<void>,
): void {
  it(name, async () => {
    expect(subjects.length).toBeGreaterThan(0);
    const broken: string[] = [];
    for (const [subject, ...rest] of subjects) {
      try {
        await check(subject, ...rest);
      } catch (thrown) {
        broken.push(`${subject}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
      }
    }
    expect(broken.join('\n\n')).toBe('');
  });
}
