import { createInterface } from 'node:readline/promises';

/**
 * Asks on the terminal; Enter takes what is offered.
 *
 * @param {string} question
 * @param {string} initial
 */
export async function ask(question, initial) {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question(`${question} (${initial}): `);
    return answer.trim() === '' ? initial : answer.trim();
  } finally {
    lines.close();
  }
}
