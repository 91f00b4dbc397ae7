import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { createConnections, type OutgoingPolicy, readWholeBody, sendOutgoing, type OutgoingRequest } from './send-outgoing.ts'
import { isPublicAddress } from './public-address.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(listener: RequestListener): Promise<{ port: number; origin: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port, origin: `http://127.0.0.1:${port}` }
}

const development: OutgoingPolicy = { loopback: true }
const production: OutgoingPolicy = { loopback: false }

const read = async (request: Partial<OutgoingRequest> & { url: string }, policy = development) => {
  const answer = await sendOutgoing({ withinMs: 3000, mostBytes: 1_000_000, ...request }, policy)
  return { ...answer, text: (await readWholeBody(answer)).toString() }
}
const reason = (name: string) => expect.objectContaining({ name: 'OutgoingFault', reason: name })

describe('public internet addresses', () => {
  test.each([
    '0.0.0.0', '10.1.2.3', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.8.8.8', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.168.1.1',
    '198.18.0.1', '224.0.0.1', '239.1.1.1', '255.255.255.255', '::', '::1', 'fe80::1', 'fc00::1', 'fd12:3456::1', 'ff02::1', '::ffff:127.0.0.1',
    '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '64:ff9b::7f00:1', '2002:7f00:1::', '2001::1', '2001:db8::1', 'localhost', '',
  ])('do not include %s', (address) => expect(isPublicAddress(address)).toBe(false)) // prettier-ignore
  test.each(['8.8.8.8', '100.128.0.1', '172.32.0.1', '193.0.6.139', '2606:4700:4700::1111', '2a00:1450:4009::1'])('include %s', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  )
})

describe('an outgoing request', () => {
  test.each([
    'http://127.0.0.1/', 'http://127.1/', 'http://0x7f000001/', 'http://2130706433/', 'http://[::1]/', 'http://[::ffff:127.0.0.1]/', 'http://169.254.169.254/latest/',
    'http://10.0.0.1/', 'http://0.0.0.0/', 'file:///etc/passwd', 'ftp://example.org/', 'gopher://example.org/', 'https://example.org:22/', 'https://a:b@example.org/',
  ])('is refused to %s', async (url) => {
    await expect(read({ url }, production)).rejects.toEqual(reason('address-refused'))
  }) // prettier-ignore

  test('is refused if the name resolves to this machine or a private network, even beside a public address', async () => {
    await expect(read({ url: 'http://localhost/' }, production)).rejects.toEqual(reason('address-refused'))
    const resolve: OutgoingPolicy['resolve'] = (_, done) =>
      done(null, [
        { address: '8.8.8.8', family: 4 },
        { address: '10.0.0.7', family: 4 },
      ])
    await expect(read({ url: 'http://portal.example/' }, { loopback: false, resolve })).rejects.toEqual(reason('address-refused'))
  })

  test('goes to the address that was checked, even if the name resolves differently the next time (DNS rebinding)', async () => {
    const { port } = await serve((_, response) => response.end('checked'))
    let asked = 0
    const resolve: OutgoingPolicy['resolve'] = (_, done) => {
      asked += 1
      done(null, [{ address: asked === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }])
    }
    expect((await read({ url: `http://rebinding.example:${port}/` }, { loopback: true, resolve })).text).toBe('checked')
    expect(asked).toBe(1)
    await expect(read({ url: `http://rebinding.example:${port}/` }, { loopback: true, resolve })).rejects.toEqual(reason('address-refused'))
  })

  test('reuses a connection if they are kept open, and otherwise opens its own', async () => {
    const ports: (number | undefined)[] = []
    const { origin } = await serve((request, response) => {
      ports.push(request.socket.remotePort)
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{}'))
    })
    const connections = createConnections()
    for (let count = 0; count < 3; count++) expect((await read({ url: origin, connections })).text).toBe('{}')
    connections.close()
    await read({ url: origin })
    expect([new Set(ports.slice(0, 3)).size, new Set(ports).size]).toEqual([1, 2])
  })

  test('is checked again on each redirect, and redirects are limited', async () => {
    const { origin } = await serve((request, response) => {
      const to: Record<string, string> = {
        '/metadata': 'http://169.254.169.254/latest/meta-data/',
        '/file': 'file:///etc/passwd',
        '/round': '/round',
      }
      if (request.url === '/end') return response.end('arrived')
      return response.writeHead(302, { location: to[request.url ?? ''] ?? '/end' }).end()
    })
    expect((await read({ url: `${origin}/once` })).text).toBe('arrived')
    await expect(read({ url: `${origin}/metadata` })).rejects.toEqual(reason('address-refused'))
    await expect(read({ url: `${origin}/file` })).rejects.toEqual(reason('address-refused'))
    await expect(read({ url: `${origin}/round` })).rejects.toEqual(reason('redirects'))
  })

  test('shows its token only to the first host', async () => {
    const seen: (string | undefined)[] = []
    const other = await serve((request, response) => {
      seen.push(request.headers.authorization)
      response.end('other')
    })
    const { origin } = await serve((request, response) => {
      seen.push(request.headers.authorization)
      response.writeHead(302, { location: request.url === '/own' ? '/away' : other.origin }).end()
    })
    await read({ url: `${origin}/own`, secrets: { authorization: 'token' } })
    expect(seen).toEqual(['token', 'token', undefined])
  })

  test('limits bytes after decompression, so that a bomb is never unpacked', async () => {
    const bomb = { gzip: gzipSync(Buffer.alloc(5_000_000)), br: brotliCompressSync(Buffer.alloc(5_000_000)) }
    const { origin } = await serve((request, response) => {
      const encoding = request.url === '/br' ? 'br' : 'gzip'
      response.writeHead(200, { 'content-encoding': encoding }).end(bomb[encoding])
    })
    await expect(read({ url: `${origin}/gzip` })).rejects.toEqual(reason('too-large'))
    await expect(read({ url: `${origin}/br` })).rejects.toEqual(reason('too-large'))
    expect((await read({ url: `${origin}/gzip`, mostBytes: 5_000_000 })).text).toHaveLength(5_000_000)
  })

  test('times out whether nothing arrives or a drop at a time', async () => {
    const { origin } = await serve((request, response) => {
      if (request.url === '/silent') return
      response.writeHead(200)
      const drops = setInterval(() => response.write('.'), 50)
      response.on('close', () => clearInterval(drops))
    })
    await expect(read({ url: `${origin}/silent`, withinMs: 300 })).rejects.toEqual(reason('too-slow'))
    await expect(read({ url: `${origin}/drops`, withinMs: 300 })).rejects.toEqual(reason('too-slow'))
  })

  test('tells an unknown host from one that does not answer', async () => {
    const { port, origin } = await serve((_, response) => response.destroy())
    await expect(read({ url: origin })).rejects.toEqual(reason('unreachable'))
    const resolve: OutgoingPolicy['resolve'] = (_, done) => done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), [])
    await expect(read({ url: `http://nowhere.example:${port}` }, { loopback: true, resolve })).rejects.toEqual(reason('unknown-host'))
  })
})
