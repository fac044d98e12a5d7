import { expect } from 'vitest';

/** The body of every refusal, by RFC 9457. */
interface ProblemJson {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
}

/** The problem that an answer is, once it is seen to be whole: type, title, the same status, and words that help. */
export async function problemIn(response: Response, status: number, type: string): Promise<ProblemJson> {
  const problem = await response.json<ProblemJson>();
  expect([response.status, problem.type]).toEqual([status, `urn:hookbell:problem:${type}`]);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(problem.status).toBe(status);
  expect(problem.title).not.toBe('');
  expect(problem.detail.length).toBeGreaterThan(20);
  return problem;
}
