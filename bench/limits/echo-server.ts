// Echo server: the minimum that two processes can do over the loopback in Node.
import { createServer } from 'node:net'

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('data', (bytes) => socket.write(bytes))
  socket.on('error', () => socket.destroy())
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  process.stdout.write(`${JSON.stringify({ msg: 'listening', port: address.port })}\n`)
})
process.once('SIGTERM', () => process.exit(0))
