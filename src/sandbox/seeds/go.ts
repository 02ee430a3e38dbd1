import type { Toolchain } from './toolchain.ts';

/**
 * What most programs and tests import. All of the library would take half as long again to make, and
 * each copy too; what is missing is compiled as without a seed.
 */
const COMMON = [
  ...['bufio', 'bytes', 'container/heap', 'container/list', 'context', 'crypto/rand'],
  ...['crypto/sha256', 'embed', 'encoding/base64', 'encoding/csv', 'encoding/hex'],
  ...['encoding/json', 'errors', 'flag', 'fmt', 'io/ioutil', 'log', 'log/slog', 'maps'],
  ...['math/big', 'math/rand', 'net/http/httptest', 'os/exec', 'os/signal', 'path/filepath'],
  ...['regexp', 'slices', 'sort', 'strconv', 'strings', 'sync/atomic', 'testing/fstest'],
  ...['testing/iotest', 'testing/quick', 'text/tabwriter', 'text/template', 'unicode/utf8'],
];

/**
 * Go names each result in its cache by a digest of all that decides it, the compiler included. The
 * checks of `go vet` and `go test` leave results of their own beside those of the compiler.
 */
export const go: Toolchain = {
  name: 'go',
  programs: ['go', 'gcc', 'clang'],
  beside: ['../VERSION', '../go.env', '../pkg/tool'],
  settings: ['GOROOT', 'GOPATH'],
  elsewhere: ['GOCACHE'],
  marks: ['go.mod', 'go.work'],
  places: ['.cache/go-build'],
  command: [
    'set -e -o pipefail',
    'export GOPROXY=off GOTOOLCHAIN=local',
    "printf 'module goalkeeper.invalid/seed\\n\\ngo 1.16\\n' > go.mod",
    'echo package seed > seed.go',
    `go list std | grep -xE '${COMMON.join('|')}' | sed 's/.*/import _ "&"/' >> seed.go`,
    `printf 'package seed\\n\\nimport "testing"\\n\\nfunc TestSeed(t *testing.T) {}\\n' > seed_test.go`,
    'go test ./...',
    'go vet ./...',
  ].join('\n'),
};
