import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type FakeClamd, startClamd, VIRUS_MARK, VIRUS_NAME } from '#tests/support/clamd.ts'
import { findVirus, pingScanner, ScannerFault } from './virus-scanner.ts'

const dir = mkdtempSync(join(tmpdir(), 'parley-clamd-'))
const overTcp = await startClamd()
const overSocket = await startClamd(join(dir, 'clamd.ctl'))
afterAll(async () => {
  await overTcp.stop()
  await overSocket.stop()
  rmSync(dir, { recursive: true })
})
beforeEach(() => {
  overTcp.answer = undefined
  overTcp.scanned.length = 0
})

describe.each<[string, FakeClamd]>([
  ['TCP', overTcp],
  ['a socket', overSocket],
])('a scanner over %s', (_, clamd) => {
  test('gets every byte of a file and says which virus is in it', async () => {
    const large = Buffer.concat([randomBytes(300_000), Buffer.from(VIRUS_MARK)])
    expect(await findVirus(clamd.address, large)).toBe(VIRUS_NAME)
    expect(clamd.scanned.at(-1)?.equals(large)).toBe(true)
    expect(await findVirus(clamd.address, Buffer.from('nothing bad'))).toBeUndefined()
    expect(await findVirus(clamd.address, Buffer.alloc(0))).toBeUndefined()
    await pingScanner(clamd.address)
  })
})

test.each(['INSTREAM size limit exceeded. ERROR', 'stream: Can’t allocate memory ERROR', '', 'PONG'])(
  'the answer %j is no verdict, so no file is harmless',
  async (answer) => {
    overTcp.answer = answer
    await expect(findVirus(overTcp.address, Buffer.from('a file'))).rejects.toThrow(ScannerFault)
  },
)

test('a scanner that is away is said to be', async () => {
  const gone = await startClamd()
  await gone.stop()
  await expect(findVirus(gone.address, Buffer.from('a file'))).rejects.toThrow(ScannerFault)
  await expect(pingScanner(gone.address)).rejects.toThrow(ScannerFault)
  await expect(findVirus(join(dir, 'nowhere.ctl'), Buffer.from('a file'))).rejects.toThrow(ScannerFault)
})
