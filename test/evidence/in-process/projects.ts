import type { Project } from './judge-work.ts';

const SUMS = `const { test } = require('node:test');
const assert = require('node:assert');
const { sum } = require('../src/sum.js');
test('sums', () => assert.strictEqual(sum(1, 2), 3));
test('sums more', () => assert.strictEqual(sum(2, 2), 4));
`;

const nodeFiles = {
  'package.json':
    '{"name":"shop","main":"src/sum.js","scripts":{"test":"node --test test/*.test.js"}}',
  'src/sum.js': 'exports.sum = (a, b) => a - b;\n',
  'test/sum.test.js': SUMS,
};
export const node: Project = { files: nodeFiles, command: 'npm test', source: 'src/sum.js' };

/** All in one process. */
export const nodeAlone: Project = { ...node, command: 'node test/sum.test.js' };

/** What hangs is ended soon. */
export const nodeInTime: Project = { ...nodeAlone, timeoutSeconds: 5 };

export const nodeWithChai: Project = {
  ...node,
  needsModules: true,
  files: {
    ...nodeFiles,
    'package.json':
      '{"name":"shop","type":"module","scripts":{"test":"node --test test/*.test.js"}}',
    'src/sum.js': 'export const sum = (a, b) => a - b;\n',
    'test/sum.test.js': `import { test } from 'node:test';
import { expect } from 'chai';
import { sum } from '../src/sum.js';
test('sums', () => { expect(sum(1, 2)).to.equal(3); });
`,
  },
};

export const vitest: Project = {
  needsModules: true,
  command: 'npm test',
  source: 'src/sum.js',
  files: {
    'package.json': '{"name":"shop","type":"module","scripts":{"test":"vitest run"}}',
    'src/sum.js': 'export const sum = (a, b) => a - b;\n',
    'test/sum.test.js': `import { describe, expect, test } from 'vitest';
import { sum } from '../src/sum.js';
describe('sum', () => {
  test('sums', () => expect(sum(1, 2)).toBe(3));
});
`,
  },
};

export const vitestWithGlobals: Project = {
  ...vitest,
  files: {
    ...vitest.files,
    'vitest.config.js': 'export default { test: { globals: true } };\n',
    'test/sum.test.js': `import { sum } from '../src/sum.js';
test('sums', () => expect(sum(1, 2)).toBe(3));
`,
  },
};

export const pytest: Project = {
  command: 'python3 -m pytest -q',
  source: 'sums.py',
  files: {
    'sums.py': 'def add(a, b):\n    return a - b\n',
    'test_sums.py': `from sums import add

def test_adds():
    assert add(1, 2) == 3
`,
  },
};

export const unittest: Project = {
  command: 'python3 -m unittest',
  source: 'sums.py',
  files: {
    'sums.py': 'def add(a, b):\n    return a - b\n',
    'test_sums.py': `import unittest
from sums import add

class TestSums(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(add(1, 2), 3)

if __name__ == '__main__':
    unittest.main()
`,
  },
};

export const go: Project = {
  command: 'go test ./...',
  source: 'sum.go',
  files: {
    'go.mod': 'module example.com/sum\n\ngo 1.20\n',
    'sum.go': 'package sum\n\nfunc Add(a, b int) int { return a - b }\n',
    'sum_test.go': `package sum

import "testing"

func TestAdd(t *testing.T) {
	if Add(1, 2) != 3 {
		t.Fatal("wrong")
	}
}
`,
  },
};

export const cargo: Project = {
  command: 'cargo test --offline',
  source: 'src/lib.rs',
  files: {
    'Cargo.toml': '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n',
    'Cargo.lock': 'version = 3\n\n[[package]]\nname = "sums"\nversion = "0.1.0"\n',
    'src/lib.rs': 'pub fn add(a: i32, b: i32) -> i32 { a - b }\n',
    'tests/sums.rs': '#[test]\nfn adds() { assert_eq!(sums::add(1, 2), 3); }\n',
  },
};

/** A script that compares with a file; no runner tells of it. */
export const shell: Project = {
  command: 'bash test/check.sh',
  source: 'src/sum.sh',
  files: {
    'src/sum.sh': 'sum() { echo $(( $1 - $2 )); }\n',
    'test/expected.txt': '3\n',
    'test/check.sh': `set -e
. src/sum.sh
[ "$(sum 2 2)" = 4 ] || exit 1
sum 1 2 > out.txt
diff out.txt test/expected.txt
`,
  },
};

export const c: Project = {
  command: 'cc -Isrc test/test_sum.c src/sum.c -o "$HOME/t" && "$HOME/t"',
  source: 'src/**',
  files: {
    'src/sum.h': 'int sum(int a, int b);\n',
    'src/sum.c': '#include "sum.h"\nint sum(int a, int b) { return a - b; }\n',
    'test/test_sum.c': `#include <assert.h>
#include "sum.h"
int main(void) {
    assert(sum(1, 2) == 3);
    return 0;
}
`,
  },
};

export const perl: Project = {
  command: 'prove -l t',
  source: 'lib/**',
  files: {
    'lib/Sums.pm': 'package Sums;\nsub add { return $_[0] - $_[1]; }\n1;\n',
    't/add.t': `use strict;
use warnings;
use Test::More tests => 1;
use Sums;
is(Sums::add(1, 2), 3, 'adds');
`,
  },
};

export const script: Project = {
  command: 'node test/check.js',
  source: 'src/sum.js',
  files: {
    'src/sum.js': 'exports.sum = (a, b) => a - b;\n',
    'test/check.js': `const { sum } = require('../src/sum.js');
if (sum(1, 2) !== 3) process.exit(1);
`,
  },
};

/** The command itself is the test. */
export const oneLine: Project = {
  ...script,
  command: `node -e "if (require('./src/sum.js').sum(1, 2) !== 3) process.exit(1)"`,
};

export const nodeWithFile: Project = {
  ...node,
  files: {
    ...nodeFiles,
    'test/expected.txt': '3',
    'test/sum.test.js': `const { test } = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const { sum } = require('../src/sum.js');
test('sums', () => { const got = \`\${sum(1, 2)}\`; assert.strictEqual(got, fs.readFileSync(__dirname + '/expected.txt', 'utf8')); });
`,
  },
};

export const doctest: Project = {
  command: 'python3 -m doctest sums.py',
  source: 'sums.py',
  files: {
    'sums.py': `def add(a, b):
    """Adds.

    >>> add(1, 2)
    3
    """
    return a - b
`,
  },
};

export const doctestOfPytest: Project = {
  ...doctest,
  command: 'python3 -m pytest -q --doctest-modules',
};

export const pythonScript: Project = {
  command: 'python3 check.py',
  source: 'sums.py',
  files: {
    'sums.py': 'def add(a, b):\n    return a - b\n',
    'check.py': `import sys
from sums import add
if add(1, 2) != 3:
    sys.exit(1)
`,
  },
};

export const pytestWithFiles: Project = {
  ...pytest,
  files: {
    ...pytest.files,
    'expected.txt': '3\n',
    'test_sums.py': `import filecmp
from sums import add

def test_adds(tmp_path):
    found = tmp_path / "found.txt"
    found.write_text(f"{add(1, 2)}\\n")
    assert filecmp.cmp(found, "expected.txt", shallow=False)
`,
  },
};

export const cargoUnit: Project = {
  ...cargo,
  files: {
    'Cargo.toml': cargo.files['Cargo.toml'] ?? '',
    'Cargo.lock': cargo.files['Cargo.lock'] ?? '',
    'src/lib.rs': `pub fn add(a: i32, b: i32) -> i32 { a - b }

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn adds() {
        assert_eq!(add(1, 2), 3);
    }
}
`,
  },
};

/** Its cases are files that it walks. */
export const shellWithCases: Project = {
  ...shell,
  files: {
    'src/sum.sh': shell.files['src/sum.sh'] ?? '',
    'cases/one.in': '1 2\n',
    'cases/one.out': '3\n',
    'test/check.sh': `set -e
. src/sum.sh
for one in cases/*.in; do
  [ "$(sum $(cat "$one"))" = "$(cat "\${one%.in}.out")" ]
done
`,
  },
};
