// Speaks to Temporal as anybody could, and prints how many bytes came back before the end.
const { connect } = require('node:net');

const socket = connect(Number(process.argv[2]), '127.0.0.1');
let bytes = 0;
const tell = () => process.exit(console.log(String(bytes)) ?? 0);
// A server of HTTP/2 answers this with its settings.
socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0');
socket.on('data', (chunk) => {
  bytes += chunk.length;
  tell();
});
socket.on('error', () => {});
socket.on('close', tell);
