import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callFor, readTextToken, type TextToken } from '../../src/reply/text-tokens.ts';
import { processorMs } from '../support/processor-time.ts';

const work = (seconds: number | null = null): TextToken => ({ kind: 'work', seconds });
const delegate = (task: string, more: object = {}): TextToken => ({
  kind: 'delegate',
  task,
  returns: null,
  seconds: null,
  ...more,
});
const done: TextToken = { kind: 'done' };

/** Text → its token, and what people see of it. */
const tokens: readonly (readonly [string, string, TextToken, string])[] = [
  ['O3', 'CONTINUE_WORK', work(), ''],
  ['O3', '  CONTINUE_WORK \n\n', work(), ''],
  ['O3', 'Phase one is over.\n\nCONTINUE_WORK', work(), 'Phase one is over.'],
  ['O3', 'Phase one is over. CONTINUE_WORK', work(), 'Phase one is over.'],
  ['O3', 'One\r\nCONTINUE_WORK\r\n', work(), 'One'],
  ['O4', 'CONTINUE_WORK:30', work(30), ''],
  ['O4', 'Later.\nCONTINUE_WORK:0', work(0), 'Later.'],
  ['O4', 'CONTINUE_WORK:120', work(120), ''],
  ['O5', '[[CONTINUE_DELEGATE: look at it]]', delegate('look at it'), ''],
  ['O5', 'I hand it over.\n[[CONTINUE_DELEGATE: look]]', delegate('look'), 'I hand it over.'],
  ['O5', 'So: [[ CONTINUE_DELEGATE:  look  ]]  ', delegate('look'), 'So:'],
  ['O5', '[[CONTINUE_DELEGATE: one\ntwo\n]]', delegate('one\ntwo'), ''],
  ['O5', 'Text\nCONTINUE_DELEGATE: look at it ', delegate('look at it'), 'Text'],
  ['O5', '[[CONTINUE_DELEGATE: read list[0]]]', delegate('read list[0]'), ''],
  ['O7', 'a [[CONTINUE_DELEGATE: one]]\n[[CONTINUE_DELEGATE: two]]', delegate('two'), 'a'],
  ['O8', '[[CONTINUE_DELEGATE: look +5s]]', delegate('look', { seconds: 5 }), ''],
  ['O8', '[[CONTINUE_DELEGATE: wait +5s then look]]', delegate('wait +5s then look'), ''],
  ['O8', 'CONTINUE_DELEGATE: look +30s', delegate('look', { seconds: 30 }), ''],
  ['O9', '[[CONTINUE_DELEGATE: look | silent]]', delegate('look', { returns: 'silent' }), ''],
  ['O9', '[[CONTINUE_DELEGATE: a|Silent-Wake]]', delegate('a', { returns: 'silent_wake' }), ''],
  ['O9', '[[CONTINUE_DELEGATE: a | silent b]]', delegate('a | silent b'), ''],
  ['O9', 'CONTINUE_DELEGATE: a | loud', delegate('a | loud'), ''],
  [
    'O8 O9',
    '[[CONTINUE_DELEGATE: a +9s | silent]]',
    delegate('a', { seconds: 9, returns: 'silent' }),
    '',
  ],
  [
    'O8 O9',
    '[[CONTINUE_DELEGATE: a | silent +9s]]',
    delegate('a', { seconds: 9, returns: 'silent' }),
    '',
  ],
  [
    'O9',
    '[[CONTINUE_DELEGATE: a | silent | normal]]',
    delegate('a | silent', { returns: 'normal' }),
    '',
  ],
  ['O8', 'CONTINUE_DELEGATE: a +5s +9s', delegate('a +5s', { seconds: 9 }), ''],
  ['O36', 'A ``` is no fence\nCONTINUE_WORK', work(), 'A ``` is no fence'],
  ['O10', '[[CONTINUE_DELEGATE: look]]\nCONTINUE_WORK:30', delegate('look'), ''],
  ['O10', 'Both.\nCONTINUE_WORK\n[[CONTINUE_DELEGATE: look]]', delegate('look'), 'Both.'],
  ['O10', 'DONE\nCONTINUE_DELEGATE: look', delegate('look'), ''],
  ['O37', 'DONE', done, ''],
  ['O37', 'All tests pass.\nDONE\n', done, 'All tests pass.'],
  ['O37', 'It is not over.\nDONE\nCONTINUE_WORK', work(), 'It is not over.'],
  ['O11', 'Seen \n \n CONTINUE_WORK', work(), 'Seen'],
];

const none: readonly (readonly [string, string])[] = [
  ['O1', ''],
  ['O1', ' \n '],
  ['O1', 'I wrote the file.'],
  ['O2', 'CONTINUE_WORK is what I would say.'],
  ['O2', 'CONTINUE_WORK\nand then some.'],
  ['O2', '[[CONTINUE_DELEGATE: look]] and more'],
  ['O6', '[[CONTINUE_DELEGATE:   ]]'],
  ['O6', 'CONTINUE_DELEGATE:'],
  ['O6', '[[CONTINUE_DELEGATE: +5s | silent]]'],
  ['O6', '[[CONTINUE_DELEGATE: look'],
  ['O6', '[[CONTINUE_DELEGATE: look]'],
  ['O6', '[[CONTINUE_DELEGATE: a [[CONTINUE_DELEGATE: b]]'],
  ['O6', '[[CONTINUE_DELEGATE: a [[b]] c]]'],
  ['O6', '[[CONTINUE_DELEGATE: a]]]'],
  ['O6', '[[CONTINUE_DELEGATE: look]].'],
  ['O36', 'Whatever happens, do not CONTINUE_WORK'],
  ['O36', 'It said "CONTINUE_WORK"'],
  ['O36', 'The word is: `CONTINUE_WORK`'],
  ['O36', '> CONTINUE_WORK'],
  ['O36', 'Example:\n```\nCONTINUE_WORK'],
  ['O36', 'Example:\n  ~~~\nCONTINUE_WORK'],
  ['O6', 'xCONTINUE_DELEGATE: look]]'],
  ['O36', 'All of it is DONE'],
  ['O36', 'NOT DONE'],
  ['O4', 'CONTINUE_WORK:soon'],
  ['O4', 'CONTINUE_WORK:-5'],
  ['O4', 'CONTINUE_WORK: 5'],
  ['O4', 'continue_work'],
];

describe('tokens at the end of a text', () => {
  test.each(tokens)('%s %j', (_id, text, token, visible) => {
    expect(readTextToken(text)).toMatchObject({ token, visible });
  });

  test.each(none)('%s %j holds none and stays as it is', (_id, text) => {
    expect(readTextToken(text)).toEqual({ token: null, visible: text, taken: '' });
  });

  test('what was taken off is kept for the model, without the blanks around it', () => {
    expect(readTextToken('Seen. CONTINUE_WORK:5 \n').taken).toBe('CONTINUE_WORK:5');
    expect(readTextToken('DONE\n\nCONTINUE_WORK').taken).toBe('DONE\n\nCONTINUE_WORK');
  });

  const piece = fc.constantFrom(
    'CONTINUE_WORK',
    'CONTINUE_WORK:7',
    'CONTINUE_DELEGATE: a',
    '[[CONTINUE_DELEGATE: b]]',
    '[[',
    ']]',
    '[',
    ']',
    'DONE',
    '\n',
    ' ',
    '. ',
    '```',
    '| silent',
    ' +5s',
    'word',
  );
  const texts = fc.array(fc.oneof(piece, fc.string()), { maxLength: 12 }).map((p) => p.join(''));

  test('O11 what people see is a beginning of the text, and ends in no token', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { visible, token } = readTextToken(text);
        expect(text.startsWith(visible)).toBe(true);
        if (token === null) expect(visible).toBe(text);
        else expect(readTextToken(visible)).toMatchObject({ token: null, visible });
      }),
      { numRuns: 3000 },
    );
  });

  test('O6 a task never holds the brackets of another token', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { token } = readTextToken(`${text}]]`);
        if (token?.kind === 'delegate') expect(token.task).not.toMatch(/\[\[|\]\]/);
      }),
      { numRuns: 3000 },
    );
  });

  test('a long text without an end is read in no time', () => {
    const began = processorMs();
    readTextToken(`${'[[CONTINUE_DELEGATE: '.repeat(50_000)}]]`);
    readTextToken(`${'a. '.repeat(200_000)}CONTINUE_WORK:`);
    expect(processorMs() - began).toBeLessThan(20_000);
  });
});

describe('the call that a token stands for', () => {
  test('names only what was asked for', () => {
    expect(callFor(work(30), ' CI runs. ')).toEqual({
      tool: 'continue_work',
      input: '{"delaySeconds":30,"reason":"CI runs."}',
    });
    expect(callFor(work(), '').input).toBe('{"reason":"to go on"}');
    expect(callFor(delegate('look', { returns: 'silent' }), '')).toEqual({
      tool: 'delegate',
      input: '{"task":"look","return":"silent"}',
    });
    expect(callFor(done, '')).toEqual({
      tool: 'attempt_completion',
      input: '{"result":"DONE"}',
    });
  });

  test('quotes the end of a reason and the beginning of a result', () => {
    const input = (token: TextToken, text: string) => JSON.parse(callFor(token, text).input);
    expect(input(work(), `${'a'.repeat(500)} ${'b'.repeat(299)}`)).toEqual({
      reason: 'b'.repeat(299),
    });
    expect(input(done, ` ${'a'.repeat(8000)}b`)).toEqual({ result: 'a'.repeat(8000) });
  });
});
