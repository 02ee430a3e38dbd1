import { expect, test } from 'vitest';
import { isBuilt } from '../../src/policy/build-folders.ts';

test.each([
  'dist',
  './dist',
  'packages/a/dist/x.js',
  'dist/*',
  'build/$NAME',
  'my.egg-info',
  '.cache/x',
])('a build makes %s again', (path) => {
  expect(isBuilt(path)).toBe(true);
});

test.each([
  'src',
  'distant',
  'my-dist',
  '../dist',
  'dist/..',
  'a/../dist',
  '/dist',
  '~/dist',
  '$DIR/dist',
  '`pwd`/dist',
  // What a wildcard completes may be another folder.
  'build*',
  'src/dist*',
  // Some shells take it for the folder above as well.
  'dist/.*',
  '',
])('nothing says that a build makes "%s" again', (path) => {
  expect(isBuilt(path)).toBe(false);
});
