import { describe, expect, test } from 'vitest'
import { startCpuClock } from '#tests/support/cpu-time.ts'
import { readDeliveryReport } from './delivery-report.ts'

const write = (inside: string, after = '') =>
  `Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mail.example\r\n\r\n${inside}\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nMessage-ID: <m.123@city.example>\r\nSubject: News\r\n\r\n${after}\r\n--b--\r\n`
const FAILED = 'Action: failed\r\nStatus: 5.1.1\r\n'

describe('a mail that comes back', () => {
  test('is understood whatever the size of the mail that it quotes', async () => {
    const quoted = `${'A'.repeat(76)}\r\n`.repeat(24_000)
    expect(await readDeliveryReport(write(FAILED, quoted))).toMatchObject({ kind: 'hard', reason: '5.1.1' })
  })

  /** Of 1 to 2 MB each, as anybody may send it to the address for returned mails. */
  test.each([
    ['parts', `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\n\r\n'.repeat(150_000)}`],
    ['recipients', write(`${FAILED}\r\n`.repeat(45_000))],
    ['empty lines', write('\r\n'.repeat(700_000))],
    ['lines that go on', write('\r\n '.repeat(500_000))],
  ])('made of nothing but %s costs little to read', async (_, raw) => {
    const stopClock = startCpuClock()
    await readDeliveryReport(raw)
    expect(stopClock()).toBeLessThan(300)
  })
})
