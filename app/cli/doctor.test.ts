import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readEnv } from '#app/server/env.ts'
import { startClamd } from '#tests/support/clamd.ts'
import { freePort } from '#tests/support/product.ts'
import { runDoctor } from './doctor.ts'

/** What the doctor says of the virus scanner, and whether it found a fault. */
async function examineScanner(address: string | undefined): Promise<{ lines: string[]; fault: string | undefined }> {
  const dir = mkdtempSync(join(tmpdir(), 'parley-doctor-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const settings = { DATA_DIR: join(dir, 'data'), PORT: String(await freePort()), ...(address ? { CLAMD_ADDRESS: address } : {}) }
  const said: string[] = []
  const fault = await runDoctor({ env: readEnv(settings), words: [], say: (line) => said.push(line) }).then(
    () => undefined,
    (error: Error) => error.message,
  )
  expect(said.length, 'it looks at the rest too').toBeGreaterThan(5)
  return { lines: said.filter((line) => line.includes('virus scanner')), fault }
}

test('a scanner that answers is well; one that is not set up is not asked for', async () => {
  const clamd = await startClamd()
  onTestFinished(clamd.stop)
  expect(await examineScanner(clamd.address)).toEqual({ lines: [`  ok     virus scanner: answers at ${clamd.address}`], fault: undefined })
  expect(await examineScanner(undefined)).toEqual({ lines: [], fault: undefined })
})

test('a scanner that is not there is a fault, over a port and over a socket', async () => {
  for (const address of [`127.0.0.1:${await freePort()}`, join(tmpdir(), 'parley-no-such-clamd.ctl')]) {
    const { lines, fault } = await examineScanner(address)
    expect(lines).toEqual([expect.stringMatching(/^ {2}FAULT {2}virus scanner: no clamd answers at .+ \(.+\), so files are refused$/)])
    expect(lines[0]).toContain(address)
    expect(fault).toBe("Parley's doctor found 1 fault.")
  }
})

test('what answers as no scanner does is a fault, and its words are shown', async () => {
  const clamd = await startClamd()
  onTestFinished(clamd.stop)
  clamd.answer = 'UNKNOWN COMMAND'
  const wrong = await examineScanner(clamd.address)
  expect(wrong.lines[0]).toMatch(/FAULT {2}virus scanner: .*UNKNOWN COMMAND/)
  expect(wrong.fault).toBe("Parley's doctor found 1 fault.")
  // A mail server greets first and waits.
  const mail = createServer((socket) => void socket.on('error', () => undefined).write('220 mail.example.org ESMTP\r\n')).listen(
    0,
    '127.0.0.1',
  )
  onTestFinished(() => void mail.close())
  await once(mail, 'listening')
  const address = mail.address()
  const other = await examineScanner(`127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`)
  expect(other.lines[0]).toMatch(/FAULT {2}virus scanner: .*220 mail\.example\.org ESMTP/)
  expect(other.fault).toBe("Parley's doctor found 1 fault.")
})
