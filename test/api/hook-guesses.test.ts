import { expect, test } from 'vitest';
import { createHookGuesses } from '../../src/api/triggers/guesses.ts';

test('TRIG-6 twenty wrong deliveries a minute close an address, but not for who was right from there', () => {
  let now = 0;
  const guesses = createHookGuesses(() => now);
  guesses.right('proxy', 'mine');
  for (let guess = 0; guess < 20; guess += 1) {
    guesses.admit('proxy', 'other');
    guesses.wrong('proxy');
  }
  expect(() => guesses.admit('proxy', 'other')).toThrow(/60 s/);
  guesses.admit('proxy', 'mine');
  guesses.admit('elsewhere', 'other');
  now = 60_001;
  guesses.admit('proxy', 'other');
});
