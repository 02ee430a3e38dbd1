import { expect, test } from 'vitest';
import { scopeInputSchema } from '../../schema/scope.ts';

const isAccepted = (input: unknown): boolean => scopeInputSchema.safeParse(input).success;

test.each([
  { change: ['src/**'] },
  { change: ['src/**', './lib', 'app/[id].tsx'], keep: ['src/core'], base: 'main' },
  { change: ['src/**'], keep: [], base: 'v1.2~3^{commit}' },
  { change: ['..hidden/**'], base: 'HEAD@{1 day ago}' },
])('a scope that names its files is accepted: %j', (input) => {
  expect(isAccepted(input)).toBe(true);
});

test.each([
  {},
  { change: [] },
  { change: Array.from({ length: 101 }, () => 'src/**') },
  { change: ['src/**'], keep: Array.from({ length: 101 }, () => 'src/a') },
  { change: ['src/{a'] },
  { change: ['/etc/**'] },
  { change: ['../other/**'] },
  { change: ['./../other/**'] },
  { change: ['..'] },
  { change: ['src/**'], keep: ['!src/a'] },
  { change: ['src/**'], base: '' },
  { change: ['src/**'], base: '-x' },
  { change: ['src/**'], base: '--output=/tmp/x' },
  { change: ['src/**'], base: 'main\nx' },
  { change: ['src/**'], base: 'ma\u0000in' },
  { change: ['src/**'], base: 'ma\u202ein' },
  { change: ['src/**'], base: 'a'.repeat(251) },
  { change: ['src/**'], setBy: 'host' },
])('a scope that is none, or that leads elsewhere, is refused: %j', (input) => {
  expect(isAccepted(input)).toBe(false);
});
