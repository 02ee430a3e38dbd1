import { expect, test } from 'vitest';
import { describeWith, GO } from '../support/needs.ts';
import { openNamed, RIGHT } from './names-ground.ts';
import { project, reported } from './runner-projects.ts';

describeWith(GO, 'go test reports names', () => {
  test('by package, with parts and skipped tests, and a package that does not build', async () => {
    const folder = await project({
      'go.mod': 'module example.com/sum\n\ngo 1.20\n',
      'sum.go': 'package sum\n\nfunc Add(a, b int) int { return a + b }\n',
      'sum_test.go': `package sum

import "testing"

func TestAdd(t *testing.T) {
	t.Run("small", func(t *testing.T) {
		if Add(1, 2) != 3 {
			t.Fatal()
		}
	})
}

func TestLater(t *testing.T) { t.Skip("later") }
`,
      'bad/bad_test.go':
        'package bad\n\nimport "testing"\n\nfunc TestBad(t *testing.T) { missing() }\n',
    });
    const { run, report, text } = await reported(folder, { command: 'go test ./...' });
    expect(run.exitCode, text).toBe(1);
    expect(report).toMatchObject({
      runner: 'go test',
      passed: ['example.com/sum > TestAdd', 'example.com/sum > TestAdd/small'],
      skipped: ['example.com/sum > TestLater'],
      broken: ['example.com/sum/bad'],
    });
  });

  test('R43 a gate asks it for names, and learns them', async () => {
    const files = {
      'go.mod': 'module example.com/one\n\ngo 1.20\n',
      'one_test.go': 'package one\n\nimport "testing"\n\nfunc TestOne(t *testing.T) {}\n',
    };
    const { gate } = await openNamed(RIGHT, { command: 'go test ./...', files });
    expect(await gate()).toMatchObject({ state: 'met', runs: expect.arrayContaining(['asked']) });
  });
});
