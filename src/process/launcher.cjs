// Runs programs for a larger process: `run-program.ts` says why. Plain CommonJS, because it starts
// from every kind of installation, and quickly.
const { execFile } = require('node:child_process');

const running = new Set();

process.on('message', ({ id, ...order }) => {
  const answer = (error, stdout = '', stderr = '') => {
    if (!process.connected) return;
    const { message, code, killed, signal } = error ?? {};
    const failure = error && { message, code, killed, signal };
    process.send({ id, stdout: Buffer.from(stdout), stderr: Buffer.from(stderr), failure });
  };
  try {
    start(order, answer);
  } catch (error) {
    answer(error);
  }
});

function start({ file, args, options }, answer) {
  const child = execFile(file, args, { ...options, encoding: 'buffer' }, (...ended) => {
    running.delete(child);
    answer(...ended);
  });
  running.add(child);
}

// Nobody waits for an answer any more.
process.on('disconnect', () => {
  for (const child of running) child.kill('SIGKILL');
  process.exit();
});
// A terminal's signals are for the process that asks: it may still need answers to end in order.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
