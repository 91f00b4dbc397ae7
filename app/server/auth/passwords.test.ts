import { argon2Sync } from 'node:crypto'
import { expect, test } from 'vitest'
import common from './common-passwords.json' with { type: 'json' }
import { hashPassword, findPasswordFault, verifyPassword } from './passwords.ts'

const words = ['Riverbend', 'ann.tremblay@riverbend.example', 'ann.tremblay', 'Ann']

test('stores a password as an argon2id PHC string with at least 46 MiB of memory and a fresh salt', async () => {
  const [one, two] = await Promise.all([hashPassword('parley-demo'), hashPassword('parley-demo')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(one).not.toBe(two)
})

test('the right password matches its hash and a wrong one does not', async () => {
  const hash = await hashPassword('Ŵyneb llawen 🌊')
  expect(await verifyPassword('Ŵyneb llawen 🌊', hash)).toBe(true)
  expect(await verifyPassword('Ŵyneb llawen 🌊', hash)).toBe(true)
  expect(await verifyPassword('wyneb llawen', hash)).toBe(false)
  expect(await verifyPassword('', hash)).toBe(false)
})

test('nothing matches without an account or with an unreadable hash', async () => {
  expect(await verifyPassword('parley-demo', null)).toBe(false)
  expect(await verifyPassword('parley-demo', '')).toBe(false)
  expect(await verifyPassword('parley-demo', '$2b$10$nothing')).toBe(false)
})

test('verifies a hash that was made with another cost', async () => {
  const salt = Buffer.from('somesalt12345678')
  const key = argon2Sync('argon2id', {
    message: 'parley-demo',
    nonce: salt,
    memory: 1024,
    passes: 2,
    parallelism: 2,
    tagLength: 24,
  })
  const plain = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  const hash = `$argon2id$v=19$m=1024,t=2,p=2$${plain(salt)}$${plain(key)}`
  expect(await verifyPassword('parley-demo', hash)).toBe(true)
  expect(await verifyPassword('parley-dem0', hash)).toBe(false)
})

test('requires only length: 8 to 128 characters of any kind', () => {
  expect(findPasswordFault('', words)).toEqual({ code: 'required' })
  expect(findPasswordFault('short-1', words)).toEqual({ code: 'too-short', values: { min: 8 } })
  expect(findPasswordFault('quillwort', words)).toBeUndefined()
  expect(findPasswordFault('only lower case words here', words)).toBeUndefined()
  expect(findPasswordFault('🌊'.repeat(128), words)).toBeUndefined()
  expect(findPasswordFault('é'.repeat(129), words)).toEqual({ code: 'too-long', values: { max: 128 } })
})

test('refuses the most common passwords, whatever their case', () => {
  for (const password of ['12345678', 'password', 'Football1', 'ILOVEYOU', 'qwertyuiop', 'trustno1']) {
    expect(findPasswordFault(password, words)).toEqual({ code: 'common-password' })
  }
})

test('refuses all ten thousand of the most common passwords', () => {
  expect(new Set(common.passwords).size).toBe(10_000)
  expect(common.passwords.filter((password) => findPasswordFault(password, [])?.code !== 'common-password')).toEqual([])
})

test('refuses the site, the address and the name as a password, even with digits around them', () => {
  for (const password of ['Riverbend', 'riverbend2026', 'river-bend!', 'ann.tremblay@riverbend.example', 'AnnTremblay', 'ann.tremblay99']) {
    expect(findPasswordFault(password, words)).toEqual({ code: 'common-password' })
  }
  expect(findPasswordFault('riverbend in the morning', words)).toBeUndefined()
  expect(findPasswordFault('annual report', words)).toBeUndefined()
})
