import { describe, expect, it } from 'vitest';
import { whyUncheckable } from '../../../src/shell/compare/checkable.ts';
import { loadShellParser } from '../../../src/shell/read/parse.ts';

const parse = await loadShellParser();
const why = (command: string, rest: { cwd?: string; expectExit?: number } = {}) =>
  whyUncheckable(parse(command), rest);

describe('a criterion’s command', () => {
  it.each([
    ['npm test', 'a plain check'],
    ['npm test # || true', 'the mask is a comment'],
    ['cd web && npm test | tail -5', 'pipefail holds'],
    ['make check || make check-again', 'both may fail'],
    ['npm test || npm test', 'a second try may fail'],
    ['npm test || exit 1', 'a failure stays one'],
    ['! grep -rq TODO src', 'it fails when something is found'],
    ['test "$(cat a)" = "b || true"', 'it looks at a file'],
    ['test -f answer.txt', 'it looks at a file'],
    ['[ -f a ] && [ ! -f b ]', 'it looks at files'],
    ['npm run build && node dist/check.js', 'both may fail'],
    ['rm -f out.txt; ./tool > out.txt && diff out.txt expected.txt', 'it makes what it compares'],
    ['node server.js & sleep 1; npm run e2e', 'only the server is in the background'],
    ['npm test; rc=$?; echo $rc; exit $rc', 'its status is handed on'],
    ['curl -sf localhost:3000 | grep -q ok', 'both may fail'],
    ['set -e; npm run lint; npm test', 'both may fail'],
    ['true', 'nobody takes it for a check: a guard'],
    ['for d in a b; do (cd $d && npm test) || exit 1; done', 'each may fail'],
  ])('is accepted: %s (%s)', (command) => {
    expect(why(command)).toBeNull();
  });

  it.each([
    ['npm test || true', 'succeeds in its place'],
    ['npm test || echo "failed"', 'succeeds in its place'],
    ['npm test; true', 'last part'],
    ['npm test; exit 0', 'last part'],
    ['npm test &', 'background'],
    ['npm test & wait', 'background'],
    ['set +o pipefail; npm test | tail -5', 'pipefail'],
    ['set -n; npm test', 'set -n'],
    ['npm test && (', 'not a complete'],
    ['# npm test', 'runs no check'],
    ['echo "All tests passed"', 'runs no check'],
    ['cd web && (npm test || true)', 'succeeds in its place'],
    ['cd web && echo ok', 'runs no check'],
    ['test 1 = 1', 'written out'],
    ['sleep 5', 'checks nothing'],
    ['node -e "console.log(1)"', 'prints'],
    ['make -n test', 'only shows'],
    ['npm test --if-present', 'only shows'],
    ['pytest --collect-only', 'only shows'],
    ['trap "exit 0" EXIT; npm test', 'trap'],
    ['npm() { true; }; npm test', 'shadows'],
    ['npm test; exit 1', 'never exits with 0'],
    ['for f in *.none; do echo $f; done', 'runs no check'],
    ['while false; do npm test; done', 'loop'],
  ])('is refused: %s (R38)', (command, words) => {
    expect(why(command)).toMatchObject({
      field: 'command',
      reason: expect.stringContaining(words),
    });
  });

  it('is judged by the exit code that it expects', () => {
    expect(why('grep -rq TODO src', { expectExit: 1 })).toBeNull();
    expect(why('cd src && grep -rq TODO .', { expectExit: 1 })).toBeNull();
    expect(why('grep -rq TODO src || true', { expectExit: 1 })).toMatchObject({ field: 'command' });
    expect(why('npm test; exit 1', { expectExit: 1 })).toMatchObject({ field: 'command' });
  });

  it('stays inside of the workspace', () => {
    expect(why('npm test', { cwd: 'web/../api' })).toBeNull();
    expect(why('npm test', { cwd: '../other' })).toMatchObject({ field: 'cwd' });
    expect(why('npm test', { cwd: '/etc' })).toMatchObject({ field: 'cwd' });
    expect(why('npm test', { cwd: '~' })).toMatchObject({ field: 'cwd' });
    expect(why('cd ../other && npm test')).toMatchObject({ field: 'command' });
    expect(why('cd .. && npm test', { cwd: 'web' })).toBeNull();
  });
});
