import { expect, test } from 'vitest';
import {
  jvmShadows,
  moduleNamesOf,
  pythonName,
  shadowingOf,
  tailsOf,
} from '../../src/proof/shadow-names.ts';

test('a file may show under each of its ends', () => {
  expect(tailsOf('src/sys/types.h')).toEqual(['src/sys/types.h', 'sys/types.h', 'types.h']);
});

test.each([
  ['src/stdlib.h', 'c'],
  ['include/vector', 'c'],
  ['lib/strict.pm', 'perl'],
  ['lib/json.rb', 'ruby'],
  ['json.py', 'python'],
  ['src/chai.ts', 'script'],
  ['src/main/java/org/junit/Assert.java', 'jvm'],
  ['src/main/resources/META-INF/services/org.junit.platform.engine.TestEngine', 'jvm'],
  ['src/main.rs', null],
])('%s may stand before a file of %s', (path, language) => {
  expect(shadowingOf(path)).toBe(language);
});

test('Python imports a file of a package by the name of the package', () => {
  const isThere = (path: string) => path === 'app/__init__.py';
  expect(pythonName('app/json.py', isThere)).toBeNull();
  expect(pythonName('src/json.py', isThere)).toBe('json');
  expect(pythonName('src/json/__init__.py', isThere)).toBe('json');
});

test('a module shows under the ends of its path, an index under its folder', () => {
  expect(moduleNamesOf('src/@acme/chai/index.ts')).toEqual([
    'src/@acme/chai',
    '@acme/chai',
    'chai',
  ]);
  expect(moduleNamesOf('src/assert.d.ts')).toEqual(['src/assert', 'assert']);
});

test('a package that the original imports and does not hold lay outside', () => {
  const original = [
    { path: 'src/main/java/shop/Sum.java', text: 'package shop;\nimport java.util.List;\n' },
    {
      path: 'src/test/java/shop/SumTest.java',
      text: 'package shop;\nimport static org.junit.Assert.assertEquals;\nimport shop.tax.Rate;\n',
    },
  ];
  const added = (path: string, text: string) => ({ path: `src/main/${path}`, text });
  const fresh = [
    added('java/org/junit/Assert.java', 'package org.junit;\n'),
    added('java/hidden/List.java', '// package shop\npackage java.util;\n'),
    added('java/shop/Mean.java', 'package shop;\n'),
    added('java/other/New.java', 'package other;\n'),
    added('resources/META-INF/services/org.junit.platform.engine.TestEngine', 'shop.Engine\n'),
    added('resources/META-INF/services/shop.Plugin', 'shop.Sum\n'),
  ];
  expect(jvmShadows(fresh, original)).toEqual([
    'src/main/java/org/junit/Assert.java',
    'src/main/java/hidden/List.java',
    'src/main/resources/META-INF/services/org.junit.platform.engine.TestEngine',
  ]);
});
