/** Every key of the console, as its sheet tells them: `useKeys` takes no other. */
export const keySheet = [
  { shown: 'j k', what: 'next, previous row, turn or file', keys: ['j', 'k'] },
  { shown: 'Enter', what: 'open', keys: ['Enter'] },
  { shown: 'x', what: 'select', keys: ['x'] },
  { shown: '/', what: 'search', keys: ['/'] },
  { shown: 'p', what: 'pause', keys: ['p'] },
  { shown: 'r', what: 'resume', keys: ['r'] },
  { shown: 'a', what: 'review approval', keys: ['a'] },
  { shown: 'n', what: 'start a goal', keys: ['n'] },
  { shown: '1 – 5', what: 'tabs of a goal', keys: ['1', '2', '3', '4', '5'] },
  { shown: '1 – 9', what: 'answers in the inbox', keys: ['6', '7', '8', '9'] },
  { shown: 'y d', what: 'yes, decline in the inbox', keys: ['y', 'd'] },
  { shown: 'o', what: 'answer in words', keys: ['o'] },
  { shown: '[ ]', what: 'older, newer turn', keys: ['[', ']'] },
  { shown: 'e', what: 'expand the turn', keys: ['e'] },
  { shown: 'u', what: 'unified or split changes', keys: ['u'] },
  { shown: 'c', what: 'copy the patch', keys: ['c'] },
  { shown: '← →', what: 'step events of the history', keys: ['ArrowLeft', 'ArrowRight'] },
  { shown: 'Space', what: 'play the history', keys: [' '] },
  { shown: 'g g', what: 'goals', keys: ['g g'] },
  { shown: 'g i', what: 'inbox', keys: ['g i'] },
  { shown: 'g o', what: 'operations', keys: ['g o'] },
  { shown: 'g s', what: 'schedules', keys: ['g s'] },
  { shown: 'g t', what: 'triggers', keys: ['g t'] },
  // Works also while typing, so it is no single key.
  { shown: 'Ctrl K', what: 'jump to', keys: [] },
  { shown: 't', what: 'theme', keys: ['t'] },
  { shown: '?', what: 'this sheet', keys: ['?'] },
  { shown: 'Esc', what: 'close', keys: ['Escape'] },
] as const;

export type KeyName = (typeof keySheet)[number]['keys'][number];
