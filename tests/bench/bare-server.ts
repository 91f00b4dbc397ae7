import { once } from 'node:events'
import { createServer } from 'node:http'

/** The process of `withBareHttp`: the minimum work Node can do for a request. */
const [{ body, headers }] = (await once(process, 'message')) as [{ body: string; headers: Record<string, string> }]
const bytes = Buffer.from(body, 'base64')
const server = createServer((_, response) => {
  response.writeHead(200, { ...headers, 'content-length': bytes.length })
  response.end(bytes)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(address && typeof address === 'object' ? address.port : 0)
})
process.once('disconnect', () => process.exit(0))
