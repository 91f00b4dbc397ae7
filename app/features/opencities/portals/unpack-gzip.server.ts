import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { PortalFault } from './portal.server.ts'
import { FILE_BYTES } from './portal-reader.server.ts'

/** The bytes of a file, unpacked if it is a gzip archive, up to the most that a file may have. @throws {PortalFault} */
export async function* unpackGzip(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const chunks = body[Symbol.asyncIterator]()
  const first = await chunks.next()
  if (first.done) return
  const rest = (async function* () {
    yield first.value
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
  })()
  if (first.value[0] === 0x1f && first.value[1] === 0x8b) yield* unpackArchive(rest)
  else yield* rest
}

async function* unpackArchive(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const source = Readable.from(packed)
  const unpacked = source.pipe(createGunzip())
  source.on('error', (error) => unpacked.destroy(error))
  let bytes = 0
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > FILE_BYTES) throw new PortalFault('portal-too-large', 'a file that unpacks to too much')
      yield chunk
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      throw new PortalFault('portal-not-understood', error.message)
    throw error
  } finally {
    source.destroy()
    unpacked.destroy()
  }
}
