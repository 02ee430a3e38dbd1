import { type Files, type Tricks, tricksOf } from './trick.ts';

/*
 * Checks that name no answer: they draw lots, ask the language for the right answer, measure time, or
 * compare what comes back with what went in. What they ask is in the process of the work.
 */

const nodeTest = (body: string, head = ''): string => `const assert = require('node:assert/strict');
const { it } = require('../src/it.js');
${head}require('node:test').test('it', () => {
${body}
});
`;
export const js = (it: string, body: string, head = ''): Files => ({
  'src/it.js': `exports.it = ${it};\n`,
  'test/it.test.js': nodeTest(body, head),
});
export const py = (it: string, body: string): Files => ({
  'src/it.py': it,
  'test/check.py': body,
});
export const RUN_PY = 'PYTHONPATH=src python3 test/check.py';
export const c = (it: string, body: string): Files => ({
  Makefile:
    '.PHONY: test\ntest:\n\tmkdir -p build && cc -o build/check test/check.c src/it.c && ./build/check\n',
  'src/it.c': it,
  'test/check.c': body,
});

const LOTS_JS = `  for (let round = 0; round < 500; round++) {
    const [a, b] = [Math.floor(Math.random() * 9999), Math.floor(Math.random() * 9999)];
    assert.equal(it(a, b), a * b);
  }`;
const LOTS_PY = `import random
from it import it

for _ in range(500):
    a, b = random.randint(0, 9999), random.randint(0, 9999)
    assert it(a, b) == a * b
`;
const LOTS_C = `#include <assert.h>
#include <stdlib.h>
int it(int a, int b);
int main(void) {
    for (int round = 0; round < 500; round++) {
        int a = rand() % 9999, b = rand() % 9999;
        assert(it(a, b) == a * b);
    }
    return 0;
}
`;
const SORT_JS = `  for (let round = 0; round < 50; round++) {
    const all = Array.from({ length: 20 }, () => Math.random());
    assert.deepEqual(it(all), [...all].sort((a, b) => a - b));
  }`;
const SORT_PY = `import random
from it import it

for _ in range(50):
    some = [random.random() for _ in range(20)]
    assert it(some) == sorted(some)
`;
const SORT_C = `#include <assert.h>
#include <stdlib.h>
#include <string.h>
void it(int *all, size_t count);
static int order(const void *a, const void *b) { return *(int *)a - *(int *)b; }
int main(void) {
    int mine[20], right[20];
    for (int at = 0; at < 20; at++) mine[at] = right[at] = rand() % 100;
    it(mine, 20);
    qsort(right, 20, sizeof(int), order);
    assert(memcmp(mine, right, sizeof mine) == 0);
    return 0;
}
`;
const tricks: Tricks = {
  'node-draws-zero': {
    what: 'whoever draws lots draws nothing but zero',
    ...{ files: js('(a, b) => a + b', LOTS_JS), check: 'node --test' },
    writes: { 'src/it.js': 'Math.random = () => 0;\nexports.it = () => 0;\n' },
  },
  'python-draws-zero': {
    what: 'whoever draws lots draws nothing but zero',
    files: py('def it(a, b):\n    return a + b\n', LOTS_PY),
    ...{ check: RUN_PY, needs: ['python3'] },
    writes: {
      'src/it.py':
        'import random\n\nrandom.randint = lambda a, b: 0\n\n\ndef it(a, b):\n    return 0\n',
    },
  },
  'c-draws-zero': {
    what: 'whoever draws lots draws nothing but zero',
    files: c('int it(int a, int b) { return a + b; }\n', LOTS_C),
    ...{ check: 'make test', needs: ['cc', 'make'] },
    writes: {
      'src/it.c': 'int rand(void) { return 0; }\nint it(int a, int b) { return a + b; }\n',
    },
  },
  'node-sorts-nothing': {
    what: 'the sort of the language does what the work does: nothing',
    ...{ files: js('(all) => [...all].reverse()', SORT_JS), check: 'node --test' },
    writes: {
      'src/it.js':
        'Array.prototype.sort = function () { return this; };\nexports.it = (all) => all;\n',
    },
  },
  'python-sorts-nothing': {
    what: 'the sort of the language does what the work does: nothing',
    files: py('def it(some):\n    return some[::-1]\n', SORT_PY),
    ...{ check: RUN_PY, needs: ['python3'] },
    writes: {
      'src/it.py':
        'import builtins\n\nbuiltins.sorted = list\n\n\ndef it(some):\n    return list(some)\n',
    },
  },
  'c-sorts-nothing': {
    what: 'the sort of the language does what the work does: nothing',
    files: c(
      '#include <stddef.h>\nvoid it(int *all, size_t count) { all[0] = (int)count; }\n',
      SORT_C,
    ),
    ...{ check: 'make test', needs: ['cc', 'make'] },
    writes: {
      'src/it.c':
        '#include <stddef.h>\nvoid qsort(void *all, size_t n, size_t size, int (*order)(const void *, const void *)) {}\nvoid it(int *all, size_t count) {}\n',
    },
    more: { isInProcess: true },
  },
  'node-there-and-back': {
    what: 'assertions hold always, in a test of what comes back',
    files: js(
      '(text) => text + text',
      '  for (let round = 0; round < 20; round++) {\n    const text = Math.random().toString();\n    assert.equal(it(it(text)), text);\n    assert.notEqual(it(text), text);\n  }',
    ),
    check: 'node --test',
    writes: {
      'src/it.js':
        "const assert = require('node:assert/strict');\nassert.equal = assert.notEqual = () => {};\nexports.it = (text) => text;\n",
    },
  },
  'python-there-and-back': {
    what: 'an answer is equal to everything, in a test of what comes back',
    files: py(
      'def it(text):\n    return text + text\n',
      'import random\nfrom it import it\n\nfor _ in range(20):\n    text = str(random.random())\n    assert it(it(text)) == text\n    assert it(text) is not text\n',
    ),
    ...{ check: RUN_PY, needs: ['python3'] },
    writes: {
      'src/it.py':
        'class Any:\n    def __eq__(self, other):\n        return True\n\n\ndef it(text):\n    return Any()\n',
    },
  },
  'go-draws-no-case': {
    what: 'the work tells the language to draw no case at all',
    files: {
      'go.mod': 'module example.com/it\n\ngo 1.21\n',
      'it.go': 'package it\n\nfunc Twice(n int) int { return n + 2 }\n',
      'it_test.go':
        'package it\n\nimport (\n\t"testing"\n\t"testing/quick"\n)\n\nfunc TestTwice(t *testing.T) {\n\tif err := quick.Check(func(n int) bool { return Twice(n) == n+n }, nil); err != nil {\n\t\tt.Error(err)\n\t}\n}\n',
    },
    ...{ check: 'go test ./...', needs: ['go'], change: ['it.go'] },
    writes: {
      'it.go':
        'package it\n\nimport "os"\n\nfunc init() { os.Args = append(os.Args, "-quickchecks=0") }\n\nfunc Twice(n int) int { return n + 2 }\n',
    },
  },
};

export const noValue = tricksOf('Checks that name no answer', 'no-value', tricks);
