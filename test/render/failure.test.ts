import { describe, expect, it } from 'vitest';
import { failure } from '../../src/render/failure.ts';

describe('failure', () => {
  it('says route, parameter, expression and reason', () => {
    expect(failure({ route: 'paid' }, 'to', '{{ payload.phone }}', 'is empty').reason).toBe(
      'route `paid`, parameter `to` ({{ payload.phone }}): is empty',
    );
  });

  it('says which element of `each` it was', () => {
    expect(failure({ route: 'alerts', element: 3 }, 'message', '{{ item }}', 'too long').reason).toBe(
      'route `alerts`, element 3, parameter `message` ({{ item }}): too long',
    );
  });

  it('has no empty parentheses where no expression is to blame', () => {
    expect(failure({ route: 'paid' }, 'to', '', 'too many').reason).toBe(
      'route `paid`, parameter `to`: too many',
    );
  });

  it('cuts a long expression in its reason, and keeps it whole beside it', () => {
    const { reason, expression } = failure({ route: 'paid' }, 'to', 'x'.repeat(300), 'no');
    expect(reason).toBe(`route \`paid\`, parameter \`to\` (${'x'.repeat(200)}…): no`);
    expect(expression).toHaveLength(300);
  });
});
