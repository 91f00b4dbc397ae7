import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { toNodeHandler } from 'srvx/node'

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.pdf': 'application/pdf',
  '.txt': 'text/plain; charset=utf-8',
  '.ico': 'image/x-icon',
}

/** Listens and answers: static files from `clientDir`, everything else through `fetch`. */
export async function serve(options: {
  host: string
  port: number
  clientDir: string
  fetch: (request: Request) => Response | Promise<Response>
}): Promise<Server> {
  const dynamic = toNodeHandler(options.fetch) as (request: IncomingMessage, response: ServerResponse) => void
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent((request.url ?? '/').split('?')[0] ?? '/'))
    const file = join(options.clientDir, path)
    const found = request.method === 'GET' && extname(path) !== '' ? stat(file).catch(() => undefined) : Promise.resolve(undefined)
    void found.then((info) => {
      if (!info?.isFile()) return dynamic(request, response)
      response.writeHead(200, {
        'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
        'content-length': info.size,
        'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      })
      return createReadStream(file).pipe(response)
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(options.port, options.host, resolve))
  return server
}
