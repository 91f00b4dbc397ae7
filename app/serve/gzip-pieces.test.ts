import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { TEXTS } from '../server/i18n.ts'
import type { ReaderFacts } from '../server/context.ts'
import { compressPiece, compressPieceNow, joinGzip } from './gzip-pieces.ts'
import { PageTemplate, PLACEHOLDERS } from './page-template.ts'
import { fillTexts, findCompressedTexts, TEXTS_MARK } from './page-texts.ts'

const read = (gzip: Buffer | undefined) => gunzipSync(gzip ?? Buffer.alloc(0)).toString('utf8')

test('pieces are one stream, however long those are that stay as they are', async () => {
  const [first, own, last] = [Buffer.from('A street for people. '.repeat(50)), Buffer.alloc(200_000, 'é'), Buffer.from('People walk here.')]
  const compressed = new Map<Buffer, Buffer>([
    [first, compressPieceNow(first)],
    [last, await compressPiece(last)],
  ])
  const whole = Buffer.concat([first, own, last])
  const gzip = joinGzip([first, own, last], whole, (piece) => compressed.get(piece))
  expect(read(gzip)).toBe(whole.toString('utf8'))
  expect(gzip.length).toBeGreaterThan(own.length)
  expect(gzip.length).toBeLessThan(own.length + first.length)
})

const FACTS: ReaderFacts = {
  id: '0198c1f2-0000-7000-8000-000000000001',
  email: 'ann@riverbend.example',
  login: 'Ann',
  lastSeenAt: '2026-05-04T12:00:00.000Z',
  token: 'T'.repeat(43),
  nonce: 'n'.repeat(24),
  sendingId: '0198c1f2-0000-7000-8000-000000000002',
  sendKey: 'k'.repeat(22),
}
/** Facts that would compress well, since the page says the same, and others as long that would not. */
const KNOWN = { login: 'Have your say on the riverfront', email: 'the.riverfront@riverbend.example' }
const UNKNOWN = { login: 'Xq9 vZpw7Kj lM2 bT8rYc4 nH6gDs1', email: 'w8k.q2zjv7rxmt@riverbend.example' }

async function fillPage(facts: Partial<ReaderFacts>) {
  const { login, email, nonce, token, sendingId, sendKey } = PLACEHOLDERS
  const text = `<p>Have your say on the riverfront: the.riverfront@riverbend.example</p>${'<p>Trees along the bank.</p>'.repeat(40)}`
  const html = `${text}<b>${login}</b>${text}<i>${email}</i><script nonce="${nonce}">state={token:"${token}",id:"${sendingId}",key:"${sendKey}"}</script>${text}`
  const template = PageTemplate.parse({ status: 200, headers: {}, body: Buffer.from(html), shareable: true })
  await template?.compress()
  return template?.complete({ ...FACTS, ...facts })
}

test('a page of somebody who is signed in is compressed around what is theirs, whatever its length', async () => {
  for (const login of ['', 'A', KNOWN.login, '</script>&"é'.repeat(20)]) {
    const page = await fillPage({ login })
    expect(read(page?.gzip)).toBe(page?.body.toString('utf8'))
    expect(page?.gzip?.length).toBeLessThan((page?.body.length ?? 0) / 3)
  }
})

test('its length tells nothing of what is theirs but how long that is', async () => {
  const [known, unknown] = [await fillPage(KNOWN), await fillPage(UNKNOWN)]
  expect(KNOWN.login.length + KNOWN.email.length).toBe(UNKNOWN.login.length + UNKNOWN.email.length)
  expect(known?.body.length).toBe(unknown?.body.length)
  expect(known?.gzip?.length).toBe(unknown?.gzip?.length)
})

test('of a page that is made for one reader, the texts of the interface are compressed, and nothing refers to them', () => {
  // A text of the interface.
  const greeting = 'Skip to content'
  expect(JSON.stringify(TEXTS.en.common)).toContain(greeting)
  const lengths = [greeting, 'x'.repeat(greeting.length)].map((own) => {
    const pieces = fillTexts(`<p>${own}</p><script>state="${TEXTS_MARK}/en/common,account"</script><p>${own}</p>`)
    const whole = Buffer.concat(pieces)
    const gzip = joinGzip(pieces, whole, findCompressedTexts)
    expect(read(gzip)).toBe(whole.toString('utf8'))
    expect(gzip.length).toBeLessThan(whole.length / 2)
    return gzip.length
  })
  expect(lengths[0]).toBe(lengths[1])
})
