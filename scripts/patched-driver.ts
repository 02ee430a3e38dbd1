import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCES = fileURLToPath(new URL('../node_modules/postgres/src', import.meta.url));

/** What stands there once, and what stands there instead. */
type Change = readonly [file: string, was: string, is: string];

/**
 * Faults of postgres 3.4.9 when a connection closes (porsager/postgres 1133, 1186, 1208, 1215), none
 * of which can be kept off from outside. Each change has a test in test/store/driver.test.ts.
 */
const CHANGES: readonly Change[] = [
  // A write that was due when the connection closed: the timer stays set, so the next connection
  // sends nothing, and what it would send begins with the bytes of the former one.
  [
    'connection.js',
    `    clearImmediate(nextWriteTimer)
    socket.removeListener('data', data)`,
    `    clearImmediate(nextWriteTimer)
    nextWriteTimer = chunk = errorResponse = null
    socket.removeListener('data', data)`,
  ],
  [
    'connection.js',
    `    clearImmediate(nextWriteTimer)
    if (socket) {`,
    `    clearImmediate(nextWriteTimer)
    nextWriteTimer = chunk = null
    if (socket) {`,
  ],
  // An answer of the handshake that is ready after the end throws where nobody can catch it.
  [
    'connection.js',
    `  function nextWrite(fn) {
`,
    `  function nextWrite(fn) {
    if (socket === null) {
      nextWriteTimer !== null && clearImmediate(nextWriteTimer)
      chunk = nextWriteTimer = null
      return true
    }
`,
  ],
  // What is asked between a socket's error and its close is answered by nobody.
  [
    'connection.js',
    `    , terminated = false\n`,
    `    , terminated = false\n    , broken = false\n    , heardAt = 0\n    , greetedAt = 0\n`,
  ],
  ['connection.js', `    x.on('error', error)\n`, `    x.on('error', failed)\n`],
  ['connection.js', `    socket.on('error', error)\n`, `    socket.on('error', failed)\n`],
  [
    'connection.js',
    `  function error(err) {
`,
    `  function failed(err) {
    broken = true
    error(err)
  }

  function error(err) {
`,
  ],
  [
    'connection.js',
    `  async function connect() {
    terminated = false
`,
    `  async function connect() {
    terminated = broken = false
`,
  ],
  [
    'connection.js',
    `    if (stream)
      return queryError(q, Errors.generic('COPY_IN_PROGRESS'`,
    `    if (broken || socket === null)
      return queryError(q, Errors.connection('CONNECTION_CLOSED', options))

    if (stream)
      return queryError(q, Errors.generic('COPY_IN_PROGRESS'`,
  ],
  // A transaction whose connection is gone: its later statements, and its rollback, would run on the
  // next connection, in somebody else's transaction or in none; those that wait would wait for good.
  [
    'index.js',
    `      , connection
      , prepare = null
`,
    `      , connection
      , lost = null
      , prepare = null
`,
  ],
  [
    'index.js',
    `new Promise((_, reject) => connection.onclose = reject)
      ])
    } catch`,
    `new Promise((_, reject) => connection.onclose = e => {
          lost = e
          while (queries.length)
            queries.shift().reject(e)
          reject(e)
        })
      ])
    } catch`,
  ],
  [
    'index.js',
    `        q.catch(e => uncaughtError || (uncaughtError = e))
        c.queue === full`,
    `        q.catch(e => uncaughtError || (uncaughtError = e))
        if (lost !== null)
          return q.reject(lost)

        c.queue === full`,
  ],
  // Whoever is hung up on before it is greeted tries again for ever, and what asked is never answered.
  [
    'connection.js',
    `    if (initial)
      return reconnect()
`,
    `    if (initial && target_session_attrs)
      return reconnect()
    !hadError && initial && error(Errors.connection('CONNECTION_CLOSED', options, socket))
    // Whoever waits for the end of what was under way has it.
    ended && (ended(), ending = ended = null)
`,
  ],
  // A line that falls silent is known by what it says of itself: src/store/silent-lines.ts looks.
  [
    'index.js',
    `    socket          : o.socket,
`,
    `    socket          : o.socket,
    lines           : o.lines,
`,
  ],
  [
    'connection.js',
    `  queues.closed && queues.closed.push(connection)
`,
    `  const line = {
    waitsFrom: () => socket !== null && !initial && (query || sent.length) ? heardAt : null,
    session: () => backend.pid === null ? null : { pid: backend.pid, greetedAt },
    cut: () => socket !== null && socket.destroy(Errors.connection('CONNECTION_CLOSED', options))
  }

  queues.closed && queues.closed.push(connection)
`,
  ],
  [
    'connection.js',
    `    backend.pid = x.readUInt32BE(5)
`,
    `    backend.pid = x.readUInt32BE(5)
    greetedAt = performance.now()
`,
  ],
  [
    'connection.js',
    `        : (query = q, query.active = true)

      build(q)`,
    `        : (query = q, query.active = true, heardAt = performance.now())

      build(q)`,
  ],
  [
    'connection.js',
    `  function data(x) {
`,
    `  function data(x) {
    heardAt = performance.now()
`,
  ],
  [
    'connection.js',
    `      lifeTimer.start()
      socket.on('data', data)`,
    `      lifeTimer.start()
      options.lines && options.lines.add(line)
      socket.on('data', data)`,
  ],
  [
    'connection.js',
    `    socket.removeAllListeners()
    socket = null
`,
    `    socket.removeAllListeners()
    socket = null
    options.lines && options.lines.delete(line)
`,
  ],
];

const TYPES = "import postgres from 'postgres';\n\nexport default postgres;\n";

/** Changes when the changes do. */
export const patchState = (): string =>
  createHash('sha256').update(JSON.stringify(CHANGES)).digest('hex');

/** @throws when a change doesn't fit: another version of the driver has to be read anew */
export function writePatchedDriver(folder: string): void {
  cpSync(SOURCES, folder, { recursive: true });
  for (const [file, was, is] of CHANGES) {
    const path = join(folder, file);
    const parts = readFileSync(path, 'utf8').split(was);
    if (parts.length !== 2)
      throw new Error(`${file} of postgres has ${parts.length - 1} times: ${was}`);
    writeFileSync(path, parts.join(is));
  }
  const { version } = JSON.parse(readFileSync(join(dirname(SOURCES), 'package.json'), 'utf8'));
  for (const file of readdirSync(folder)) {
    const path = join(folder, file);
    const whence = `// postgres ${version} (Unlicense), as changed by scripts/patched-driver.ts.\n`;
    writeFileSync(path, whence + readFileSync(path, 'utf8'));
  }
  writeFileSync(join(folder, 'index.d.ts'), TYPES);
}
