import { describe, expect, it } from 'vitest';
import { leaveOut } from '../../scripts/leave-out.ts';

const CODE = `import { z } from './z.js';
function used() {
  return unused;
}
export function unused(a, b) {
  return z(a) + b;
}
export default class Shape {
  static area() {
    return 1;
  }
  name() {
    return 'shape';
  }
  grow = (by) => by + this.size;
  size = 1;
}
var Box = class extends Shape {
  name() {
    return 'box';
  }
};
export { used, Box };
`;

describe('what is left out of a module', () => {
  it('is the body of a function, which then refuses', () => {
    const code = leaveOut(CODE, ['unused']);
    expect(code).toContain('export function unused(a, b) {throw Error("left out of the bundle")}');
    expect(code).not.toContain('z(a)');
  });

  it('is a method, static or not, of the class that is named', () => {
    const code = leaveOut(CODE, ['Shape.name', 'Shape.area']);
    expect(code).not.toMatch(/area|'shape'/);
    expect(code).toContain("return 'box'");
    expect(leaveOut(CODE, ['Box.name'])).toContain("return 'shape'");
  });

  it('is a property that is an arrow function', () => {
    expect(leaveOut(CODE, ['Shape.grow'])).not.toContain('by + this.size');
    expect(() => leaveOut(CODE, ['Shape.size'])).toThrow('cannot leave out what is not there');
  });

  it('is an arrow function with statements, or what a module has by default, and nothing else of the kind', () => {
    const code =
      'const twice = (n) => {\n  return n * 2;\n}, once = (n) => n;\nexport default function (n) { return -n; }';
    expect(leaveOut(code, ['twice'])).not.toContain('n * 2');
    expect(leaveOut(code, ['default'])).not.toContain('-n');
    expect(() => leaveOut(code, ['once'])).toThrow('cannot leave out what is not there');
  });

  it('is all that a class has, and not the class', () => {
    expect(leaveOut(CODE, ['Box'])).toMatch(/var Box = class extends Shape \{\}\n*;/);
  });

  it('leaves all else on its line', () => {
    const lines = leaveOut(CODE, ['unused', 'Shape.area', 'Box']).split('\n');
    for (const line of ['function used() {', '  name() {', 'export { used, Box };'])
      expect(lines.indexOf(line)).toBe(CODE.split('\n').indexOf(line));
  });

  it('must be there', () => {
    expect(() => leaveOut(CODE, ['unused', 'Shape.gone', 'lost'])).toThrow(
      'cannot leave out what is not there: Shape.gone, lost',
    );
  });
});
