// The first process of the network in which Temporal runs: starts Temporal there, and joins each
// connection that `up` hands in with it. Arguments: Temporal's port inside, and its command.
// Plain CommonJS, because it starts before every Temporal and from every kind of installation.
const { spawn } = require('node:child_process');
const { readlinkSync } = require('node:fs');
const { connect } = require('node:net');

const RETRY_MS = 50;
const [port, file, ...args] = process.argv.slice(2);
let server = null;

// The machine's own /proc is mounted here, so this is the number that the machine knows.
process.send({ pid: Number(readlinkSync('/proc/self')) });
process.on('message', (message, socket) => {
  if (message === 'start') start();
  else if (socket) join(socket);
});
// Without `up`, a server that nobody has recorded may not run; one that is recorded goes on.
process.on('disconnect', () => server ?? process.exit(1));
process.on('SIGTERM', () => (server ? server.kill('SIGTERM') : process.exit(1)));

function start() {
  server = spawn(file, args, { stdio: 'inherit' });
  server.once('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
  server.once('exit', (code) => process.exit(code ?? 1));
}

/** Waits for a server that is still starting. */
function join(outer) {
  const inner = connect({ host: '127.0.0.1', port: Number(port), noDelay: true });
  const retry = (error) => {
    if (error.code !== 'ECONNREFUSED' || outer.destroyed) return outer.destroy();
    setTimeout(join, RETRY_MS, outer);
  };
  inner.once('error', retry);
  inner.once('connect', () => {
    inner.off('error', retry);
    outer.setNoDelay(true);
    for (const [one, other] of [
      [inner, outer],
      [outer, inner],
    ]) {
      one.on('error', () => {});
      one.once('close', () => other.destroy());
      one.pipe(other);
    }
    if (outer.destroyed) inner.destroy();
  });
}
