import { describe, expect, it } from 'vitest';
import { shortStatements } from '../../scripts/short-statements.ts';

describe('the statements of the bundle', () => {
  it('have one blank for a line break and its indent, and as many lines as before', () => {
    const source = 'const all = `SELECT a\n     FROM b\n     WHERE c = ?`;\nconst next = 1;\n';
    const short = shortStatements(source);
    // The language leaves out a line break behind a backslash.
    expect(short).toBe('const all = `SELECT a \\\nFROM b \\\nWHERE c = ?`;\nconst next = 1;\n');
  });

  it('are no other texts', () => {
    const source = 'const text = `Selected:\n  a`;\n';
    expect(shortStatements(source)).toBe(source);
  });
});
